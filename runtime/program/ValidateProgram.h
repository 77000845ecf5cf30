//===- ValidateProgram.h - Ids, enums and sizes of a program --------------===//
//
// What the executor relies on without looking again.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_PROGRAM_VALIDATEPROGRAM_H
#define DTC_RUNTIME_PROGRAM_VALIDATEPROGRAM_H

#include "runtime/base/Status.h"
#include "runtime/schema/program_generated.h"

namespace dtc::rt {

/// Checks axes, layouts, values (shape, place within the arena), ids in
/// schedules and variables, kernels. Instructions check their own operands
/// when they are prepared.
Status validateProgram(const program::Program &program);

} // namespace dtc::rt

#endif // DTC_RUNTIME_PROGRAM_VALIDATEPROGRAM_H

//===- InstructionRegistry.h - From schema table to instruction
//------------===//
//
// The union of the schema is the list of kinds; this is the table that makes
// each of them. Adding one: its file, its line in the .cpp.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONREGISTRY_H
#define DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONREGISTRY_H

#include "runtime/instructions/Instruction.h"

namespace dtc::rt {

/// Makes an instruction; its operands are looked up in `context`.
///
/// Errors:  kInvalidProgram if the kind is unknown or an operand does not fit.
Result<std::unique_ptr<Instruction>>
makeInstruction(const program::Instruction &entry, PrepareContext &context);

} // namespace dtc::rt

#endif // DTC_RUNTIME_INSTRUCTIONS_INSTRUCTIONREGISTRY_H

//===- CompileModel.h - From a model file to a program ---------*- C++ -*-===//
//
// The compiler behind one function, so that commands see neither MLIR nor its
// diagnostics.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_FRONTEND_CLI_COMPILEMODEL_H
#define DTC_FRONTEND_CLI_COMPILEMODEL_H

#include "runtime/base/Status.h"
#include "runtime/program/Program.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dtc::cli {

struct CompileOptions {
  std::string path;                  ///< model or program file; `-`: stdin
  std::vector<std::string> settings; ///< `path=value`, in order
  int64_t memoryLimit = 0;           ///< bytes a stage's arena may take
  std::string dumpFolder;            ///< IR after every pass; empty: none
  bool timePasses = false;
};

/// Compiles a model to a program.
///
/// Errors:  complete messages, each beginning with where; several lines where
///          the compiler had several things to say.
rt::Result<std::unique_ptr<rt::Program>>
compileModel(const CompileOptions &options);

/// The module after `phase` (Pipelines.h) as text.
rt::Result<std::string> compileToText(const CompileOptions &options,
                                      const std::string &phase);

/// A program file as it is, or a model compiled: told apart by content.
rt::Result<std::unique_ptr<rt::Program>>
loadOrCompile(const CompileOptions &options);

/// Versions of the compiler's parts, for `--version`.
std::string compilerVersion();

/// The name in `known` that is closest to `word`; empty if none is close.
std::string nearestName(const std::string &word,
                        const std::vector<std::string> &known);

} // namespace dtc::cli

#endif // DTC_FRONTEND_CLI_COMPILEMODEL_H

//===- Status.h - Success, or why not -------------------------------------===//
//
// The runtime throws nothing. Success costs one null pointer, so a status can
// be returned from every call of a step; text is built only once something is
// already wrong.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_BASE_STATUS_H
#define DTC_RUNTIME_BASE_STATUS_H

#include "runtime/base/ErrorCodes.h"

#include <cassert>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace dtc::rt {

/// What kind of thing went wrong; few, each with one meaning.
enum class StatusClass : uint8_t {
  kOk,
  kInvalidProgram,  ///< The program's bytes or their meaning.
  kInvalidArgument, ///< A caller's or a user's input: file, flag, shape.
  kUnimplemented,   ///< Legal, and not supported here.
  kOutOfMemory,     ///< Host or device memory.
  kDeviceError,     ///< A device or its library.
  kCommError,       ///< A peer or the communication library.
  kTimeout,         ///< A deadline passed.
  kInternal,        ///< A fault of dtc itself.
};

/// Returns the enumerator's name without the k, such as `InvalidProgram`.
const char *className(StatusClass statusClass);

/// Success, or a class, an optional stable code, and a text of one line.
///
/// Text is appended with `<<`:
///
///   return Status::invalidProgram() << "buffer " << id << " is " << dtype;
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;
  static Status ok() { return Status(); }

  /// An error without text yet, optionally with the code a user searches for.
  static Status make(StatusClass statusClass,
                     ErrorCode code = ErrorCode::kNone);
  static Status invalidProgram(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kInvalidProgram, code);
  }
  static Status invalidArgument(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kInvalidArgument, code);
  }
  static Status unimplemented(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kUnimplemented, code);
  }
  static Status outOfMemory(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kOutOfMemory, code);
  }
  static Status deviceError(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kDeviceError, code);
  }
  static Status commError(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kCommError, code);
  }
  static Status timeout(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kTimeout, code);
  }
  static Status internal(ErrorCode code = ErrorCode::kNone) {
    return make(StatusClass::kInternal, code);
  }

  Status(Status &&) noexcept = default;
  Status &operator=(Status &&) noexcept = default;
  /// Copies the text; a failure may be told to several ranks.
  Status(const Status &other);
  Status &operator=(const Status &other);

  bool isOk() const { return !detail; }
  StatusClass statusClass() const {
    return detail ? detail->statusClass : StatusClass::kOk;
  }
  ErrorCode code() const { return detail ? detail->code : ErrorCode::kNone; }

  /// The text without class and code; empty on success.
  std::string_view message() const {
    return detail ? std::string_view(detail->text) : std::string_view();
  }

  /// The text, followed by its code in brackets if it has one.
  std::string str() const;

  /// Appends to the text of an error; success stays without text.
  template <typename T>
  Status &&operator<<(const T &part) && {
    append(part);
    return std::move(*this);
  }
  template <typename T>
  Status &operator<<(const T &part) & {
    append(part);
    return *this;
  }

  /// Puts `where` and a colon before the text: errors begin with the place,
  /// and each caller knows one more piece of it. Success is left alone.
  Status &&at(std::string_view where) &&;

  /// For the few places that may ignore a failure, next to the reason why.
  void ignore() const {}

private:
  struct Detail {
    StatusClass statusClass;
    ErrorCode code;
    std::string text;
  };

  template <typename T>
  void append(const T &part) {
    if (!detail)
      return;
    if constexpr (std::is_convertible_v<const T &, std::string_view>) {
      detail->text += std::string_view(part);
    } else {
      std::ostringstream stream;
      stream << part;
      detail->text += stream.str();
    }
  }

  std::unique_ptr<Detail> detail;
};

/// Prints `str()`, or `ok`.
std::ostream &operator<<(std::ostream &stream, const Status &status);

/// A value, or the status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  /// Lets `unique_ptr<Derived>` be returned as `Result<unique_ptr<Base>>`.
  template <typename U, typename = std::enable_if_t<
                            std::is_convertible_v<U &&, T> &&
                            !std::is_same_v<std::decay_t<U>, Result> &&
                            !std::is_same_v<std::decay_t<U>, T> &&
                            !std::is_same_v<std::decay_t<U>, Status>>>
  Result(U &&value) : held(std::forward<U>(value)) {}
  Result(Status error) : failure(std::move(error)) {
    assert(!failure.isOk() && "a result without a value needs an error");
  }

  bool isOk() const { return held.has_value(); }
  const Status &status() const { return failure; }
  /// Hands the error on; the result is spent.
  Status takeStatus() { return std::move(failure); }

  T &operator*() & { return *held; }
  const T &operator*() const & { return *held; }
  T &&operator*() && { return std::move(*held); }
  T *operator->() { return &*held; }
  const T *operator->() const { return &*held; }

private:
  std::optional<T> held;
  Status failure;
};

} // namespace dtc::rt

#define DTC_STATUS_JOIN_(a, b) a##b
#define DTC_STATUS_JOIN(a, b) DTC_STATUS_JOIN_(a, b)

// Returns the status of `expression` from the calling function unless it is ok.
#define DTC_RETURN_IF_ERROR(...)                                               \
  do {                                                                         \
    if (::dtc::rt::Status dtcStatus = (__VA_ARGS__); !dtcStatus.isOk())        \
      return dtcStatus;                                                        \
  } while (false)

// Assigns the value of a Result to `target` (which may declare a variable), or
// returns its status from the calling function.
#define DTC_ASSIGN_OR_RETURN(target, ...)                                      \
  DTC_ASSIGN_OR_RETURN_(DTC_STATUS_JOIN(dtcResult, __LINE__), target,          \
                        __VA_ARGS__)
#define DTC_ASSIGN_OR_RETURN_(result, target, ...)                             \
  auto result = (__VA_ARGS__);                                                 \
  if (!result.isOk())                                                          \
    return result.takeStatus();                                                \
  target = std::move(*result)

#endif // DTC_RUNTIME_BASE_STATUS_H

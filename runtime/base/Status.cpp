//===- Status.cpp - Success, or why not -----------------------------------===//
//
// Everything here runs only once something is wrong, so clarity comes before
// speed.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/Status.h"

namespace dtc::rt {

const char *className(StatusClass statusClass) {
  switch (statusClass) {
  case StatusClass::kOk:
    return "Ok";
  case StatusClass::kInvalidProgram:
    return "InvalidProgram";
  case StatusClass::kInvalidArgument:
    return "InvalidArgument";
  case StatusClass::kUnimplemented:
    return "Unimplemented";
  case StatusClass::kOutOfMemory:
    return "OutOfMemory";
  case StatusClass::kDeviceError:
    return "DeviceError";
  case StatusClass::kCommError:
    return "CommError";
  case StatusClass::kTimeout:
    return "Timeout";
  case StatusClass::kInternal:
    return "Internal";
  }
  return "Unknown";
}

Status Status::make(StatusClass statusClass, ErrorCode code) {
  assert(statusClass != StatusClass::kOk && "success is Status::ok()");
  Status status;
  status.detail.reset(new Detail{statusClass, code, {}});
  return status;
}

Status::Status(const Status &other) {
  if (other.detail)
    detail = std::make_unique<Detail>(*other.detail);
}

Status &Status::operator=(const Status &other) {
  if (this != &other)
    detail = other.detail ? std::make_unique<Detail>(*other.detail) : nullptr;
  return *this;
}

std::string Status::str() const {
  if (!detail)
    return "ok";
  if (detail->code == ErrorCode::kNone)
    return detail->text;
  return detail->text + " [" + codeText(detail->code) + "]";
}

Status &&Status::at(std::string_view where) && {
  if (detail)
    detail->text.insert(0, std::string(where) + ": ");
  return std::move(*this);
}

std::ostream &operator<<(std::ostream &stream, const Status &status) {
  return stream << status.str();
}

} // namespace dtc::rt

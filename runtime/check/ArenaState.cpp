//===- ArenaState.cpp - What each byte of one rank's arena holds ----------===//
//
// An interval map. A part of an instance that is left after an overwrite keeps
// its instance, so that a read of the whole finds the break.
//
//===----------------------------------------------------------------------===//

#include "runtime/check/ArenaState.h"

#include <algorithm>

namespace dtc::rt::check {

/// Segment that holds byte `at`; the end where none does.
template <typename Map>
static auto findSegment(Map &segments, int64_t at) {
  auto next = segments.upper_bound(at);
  if (next == segments.begin())
    return segments.end();
  --next;
  return next->second.first > at ? next : segments.end();
}

InstancePtr ArenaState::holder(ByteRange range) const {
  InstancePtr found;
  for (int64_t at = range.begin; at < range.end;) {
    auto segment = findSegment(segments, at);
    if (segment == segments.end() ||
        (found && segment->second.second->id != found->id))
      return nullptr;
    found = segment->second.second;
    at = segment->second.first;
  }
  return found;
}

Result<InstancePtr> ArenaState::write(ByteRange range, ContentPtr content,
                                      const std::string &writer) {
  for (const Post &post : posts)
    if (post.range.overlaps(range))
      return Status::invalidProgram()
             << "it writes bytes " << range.str() << ", of which " << post.sender
             << " sends " << post.range.str()
             << "; no wait has said that its peer has taken it";
  auto made = std::make_shared<Instance>(
      Instance{nextId++, range, std::move(content), writer});
  if (range.begin >= range.end)
    return InstancePtr(made);
  // Cut what reaches in from the left, then drop and cut what starts inside.
  auto left = findSegment(segments, range.begin);
  if (left != segments.end()) {
    auto [end, instance] = left->second;
    left->second.first = range.begin;
    if (end > range.end)
      segments[range.end] = {end, instance};
    if (left->first == range.begin)
      segments.erase(left);
  }
  auto inside = segments.lower_bound(range.begin);
  while (inside != segments.end() && inside->first < range.end) {
    auto [end, instance] = inside->second;
    inside = segments.erase(inside);
    if (end > range.end)
      segments[range.end] = {end, instance};
  }
  segments[range.begin] = {range.end, made};
  return InstancePtr(made);
}

void ArenaState::bind(uint32_t id, int64_t address, InstancePtr instance,
                      ContentPtr content) {
  bindings[{id, address}] = {instance->id, std::move(content)};
}

void ArenaState::release(std::pair<uint32_t, uint32_t> channel,
                         uint64_t index) {
  posts.erase(std::remove_if(posts.begin(), posts.end(),
                             [&](const Post &post) {
                               return post.channel == channel &&
                                      post.index < index;
                             }),
              posts.end());
}

Result<Found> ArenaState::read(const Meaning &meaning, const StagePlan &plan,
                               uint32_t id, int64_t microBatch) const {
  ByteRange range{plan.address(id, microBatch), 0};
  range.end = range.begin + plan.byteCount(id);
  std::string name = plan.value(id).name()->str();
  std::string what = "it reads " + name + " at bytes " + range.str();
  InstancePtr instance = holder(range);
  if (range.begin >= range.end) { // No element: it has only a meaning.
    Content content = meaning.declared(id, microBatch);
    return Found{std::make_shared<Content>(std::move(content)),
                 std::make_shared<Instance>()};
  }
  if (!instance) {
    for (int64_t at = range.begin; at < range.end;) {
      auto segment = findSegment(segments, at);
      if (segment == segments.end())
        return Status::invalidProgram()
               << what << ": nothing was written to byte " << at;
      const Instance &other = *segment->second.second;
      if (!other.content || other.range.begin != range.begin)
        return Status::invalidProgram()
               << what << ": byte " << at << " holds "
               << (other.content ? other.content->str() : "no value")
               << ", written by " << other.writer;
      at = segment->second.first;
    }
    return Status::invalidProgram() << what << ": its bytes were written apart";
  }
  // A view that was bound to just this instance.
  auto bound = bindings.find({id, range.begin});
  if (bound != bindings.end() && bound->second.instance == instance->id)
    return Found{bound->second.content, instance};
  std::string writer = ", written by " + instance->writer;
  if (!instance->content || instance->range.begin != range.begin ||
      instance->content->kind == Content::Kind::Variable)
    return Status::invalidProgram()
           << what << ", which hold "
           << (instance->content ? instance->content->str() : "no value")
           << writer;
  const Content &content = *instance->content;
  if (content.layout.variesOverTime() && content.microBatch != microBatch)
    return Status::invalidProgram()
           << what << " for micro-batch " << microBatch << ", which hold "
           << content.str() << writer;
  // A sum in the making is declared as what it will be.
  if (content.kind == Content::Kind::Value)
    if (Status status = meaning.checkDeclared(content, id); !status.isOk())
      return std::move(status).at(what + ", which hold " + content.str() +
                                  writer);
  return Found{instance->content, instance};
}

} // namespace dtc::rt::check

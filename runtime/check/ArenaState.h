//===- ArenaState.h - What each byte of one rank's arena holds ------------===//
//
// A write makes an instance; a read finds whole instances or an error. Views
// share bytes with what they view: they are bound to the instance that they
// saw and are worth nothing once it is overwritten.
//
//===----------------------------------------------------------------------===//

#ifndef DTC_RUNTIME_CHECK_ARENASTATE_H
#define DTC_RUNTIME_CHECK_ARENASTATE_H

#include "runtime/check/Meaning.h"

namespace dtc::rt::check {

/// Bytes [begin, end).
struct ByteRange {
  int64_t begin = 0, end = 0;
  bool overlaps(const ByteRange &other) const {
    return begin < other.end && other.begin < end && begin < end &&
           other.begin < other.end;
  }
  std::string str() const {
    return "[" + std::to_string(begin) + ", " + std::to_string(end) + ")";
  }
};

/// What was written at once.
struct Instance {
  uint64_t id = 0;
  ByteRange range;
  ContentPtr content; ///< null: bytes that mean nothing
  std::string writer; ///< the instruction, for messages
};
using InstancePtr = std::shared_ptr<const Instance>;

/// A content and the instance in whose bytes it lies.
struct Found {
  ContentPtr content;
  InstancePtr instance;
};

class ArenaState {
public:
  /// What `range` holds, read as value `id`.
  ///
  /// Errors:  kInvalidProgram with the first byte that something else holds,
  ///          or nothing, and what wrote it.
  Result<Found> read(const Meaning &meaning, const StagePlan &plan,
                     uint32_t id, int64_t microBatch) const;

  /// Writes an instance; null content for bytes that mean nothing.
  ///
  /// Errors:  kInvalidProgram where a send that is not known to be taken still
  ///          needs some of the bytes.
  Result<InstancePtr> write(ByteRange range, ContentPtr content,
                            const std::string &writer);

  /// Lets value `id` at `address` be read in the bytes of `instance`.
  void bind(uint32_t id, int64_t address, InstancePtr instance,
            ContentPtr content);

  /// The instance that holds all of `range`; null where there is none.
  InstancePtr holder(ByteRange range) const;

  /// Bytes that a post needs until it is known to be taken.
  struct Post {
    std::pair<uint32_t, uint32_t> channel; ///< peer stage and number
    uint64_t index = 0;                    ///< of the posts of the channel
    ByteRange range;
    std::string sender;
  };
  void post(Post post) { posts.push_back(std::move(post)); }
  /// Posts of the channel before `index` are taken.
  void release(std::pair<uint32_t, uint32_t> channel, uint64_t index);
  const std::vector<Post> &pendingPosts() const { return posts; }

private:
  struct Binding {
    uint64_t instance = 0;
    ContentPtr content;
  };
  /// By first byte; neighbours may be parts of one instance.
  std::map<int64_t, std::pair<int64_t, InstancePtr>> segments;
  std::map<std::pair<uint32_t, int64_t>, Binding> bindings;
  std::vector<Post> posts;
  uint64_t nextId = 1;
};

} // namespace dtc::rt::check

#endif // DTC_RUNTIME_CHECK_ARENASTATE_H

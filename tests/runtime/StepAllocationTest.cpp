//===- StepAllocationTest.cpp - Steps allocate nothing --------------------===//
//
// A program of its own, since it replaces operator new to count. Every call
// that runs in a step is made once to settle and then watched.
//
//===----------------------------------------------------------------------===//

#include "runtime/base/RandomKey.h"
#include "runtime/comm/LocalWorld.h"
#include "runtime/data/DataOrder.h"
#include "runtime/data/Dataset.h"
#include "runtime/profile/MetricsWriter.h"
#include "tests/runtime/DataFiles.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

static std::atomic<int64_t> allocations{0};

void *operator new(size_t bytes) {
  ++allocations;
  if (void *memory = std::malloc(bytes))
    return memory;
  std::abort();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace dtc::rt {
namespace {

/// Runs `step` on each rank once to settle, then ten times, and returns what
/// these ten allocated.
template <typename Prepare>
int64_t allocationsOfSteps(int32_t ranks, const Prepare &prepare) {
  LocalWorldOptions options;
  options.rankCount = ranks;
  std::shared_ptr<LocalWorld> world = *LocalWorld::create(options);
  std::atomic<int> settled{0}, counted{0}, finished{0}, left{0};
  int64_t before = 0, after = 0;
  std::vector<std::thread> threads;
  auto waitForAll = [&](std::atomic<int> &arrived) {
    ++arrived;
    while (arrived < ranks)
      std::this_thread::yield();
  };
  for (int32_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      std::unique_ptr<Communicator> end = *world->communicator(rank);
      auto step = prepare(*end);
      Status status = step();
      // Rank 0 counts while nobody runs.
      waitForAll(settled);
      if (rank == 0)
        before = allocations;
      waitForAll(counted);
      for (int i = 0; i < 10 && status.isOk(); ++i)
        status = step();
      waitForAll(finished);
      if (rank == 0)
        after = allocations;
      waitForAll(left);
      EXPECT_TRUE(status.isOk()) << status;
    });
  for (std::thread &thread : threads)
    thread.join();
  return after - before;
}

TEST(StepAllocationTest, CollectivesAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps(
                4,
                [](Communicator &end) {
                  GroupHandle group = *end.openGroup({0, 1, 2, 3});
                  auto in = std::make_shared<std::vector<float>>(8000, 1.0f);
                  auto out = std::make_shared<std::vector<float>>(8000);
                  return [=, &end]() -> Status {
                    constexpr auto kF32 = DType::kF32;
                    constexpr auto kSum = ReductionKind::kSum;
                    for (int64_t elements : {1, 8000})
                      DTC_RETURN_IF_ERROR(end.allReduce(group, in->data(),
                                                        out->data(), elements,
                                                        kF32, kSum));
                    DTC_RETURN_IF_ERROR(end.reduceScatter(
                        group, in->data(), out->data(), 2000, kF32, kSum));
                    DTC_RETURN_IF_ERROR(end.allGather(group, in->data(),
                                                      out->data(), 2000, kF32));
                    DTC_RETURN_IF_ERROR(end.allToAll(group, in->data(),
                                                     out->data(), 2000, kF32));
                    return end.barrier(group);
                  };
                }),
            0);
}

TEST(StepAllocationTest, ChannelsAllocateNothing) {
  EXPECT_EQ(allocationsOfSteps(
                2,
                [](Communicator &end) {
                  int32_t peer = 1 - end.rank();
                  ChannelHandle out = *end.openSend(peer, 0, 2);
                  ChannelHandle in = *end.openRecv(peer, 0, 2);
                  auto buffer = std::make_shared<std::vector<float>>(3000);
                  return [=, &end]() -> Status {
                    float *half = buffer->data() + 1500;
                    DTC_RETURN_IF_ERROR(
                        end.send(out, buffer->data(), 1500, DType::kF32));
                    DTC_RETURN_IF_ERROR(end.recv(in, half, 1500, DType::kF32));
                    return end.waitSend(out);
                  };
                }),
            0);
}

TEST(StepAllocationTest, ReadingABatchAllocatesNothing) {
  TemporaryFile file("batch.npy",
                     npyBytes("{'descr': '|u1', 'fortran_order': False, "
                              "'shape': (10, 784)}",
                              Bytes(7840)));
  std::unique_ptr<Dataset> data = *openDataset({file.path});
  DataOrder order = *DataOrder::create({1, 10, 4, true, LastBatch::kKeep});
  std::vector<float> batch(4 * 784);
  bool isOk = true;

  int64_t before = allocations;
  for (int64_t step = 0; step < 6; ++step) {
    int64_t indices[4];
    for (int64_t i = 0; i < 4; ++i)
      indices[i] = order.sampleAt(step, i);
    isOk &= data->read(indices, 4, DType::kF32, batch.data()).isOk();
  }
  int64_t after = allocations;

  EXPECT_TRUE(isOk);
  EXPECT_EQ(after - before, 0);
}

TEST(StepAllocationTest, AMetricsLineAllocatesNothing) {
  std::unique_ptr<MetricsWriter> writer = *MetricsWriter::open("/dev/null");
  auto writeLine = [&](int64_t step) {
    writer->begin("step");
    writer->integer("step", step);
    writer->number("loss", 0.1 * static_cast<double>(step));
    return writer->end().isOk();
  };
  bool isOk = writeLine(0);

  int64_t before = allocations;
  for (int64_t step = 1; step < 10; ++step)
    isOk &= writeLine(step);
  int64_t after = allocations;

  EXPECT_TRUE(isOk);
  EXPECT_EQ(after - before, 0);
}

} // namespace
} // namespace dtc::rt

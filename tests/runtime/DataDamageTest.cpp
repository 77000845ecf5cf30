//===- DataDamageTest.cpp - Damaged files at every byte -------------------===//
//
// Every truncation and every byte of small files, each with all its bits
// flipped in turn and with telling values: a reader gives an error with the
// file's name or reads an array that lies inside the file. Sanitizers watch.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/IdxReader.h"
#include "runtime/data/NpyReader.h"
#include "runtime/data/SafetensorsReader.h"
#include "tests/runtime/DataFiles.h"

#include <functional>

namespace dtc::rt {
namespace {

using Reader = std::function<Status(std::shared_ptr<const ByteSource>)>;

/// Reads all of an array, which must not depend on its size being small.
Status readAll(const StoredArray &array) {
  int64_t elements = std::min<int64_t>(array.elementCount(), 4096);
  std::vector<double> values(elements);
  return array.read(array.elementCount() - elements, elements, DType::kF64,
                    values.data());
}

Status readOneIdx(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(StoredArray array, readIdx(std::move(source)));
  return readAll(array);
}

Status readOneNpy(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(StoredArray array, readNpy(std::move(source)));
  return readAll(array);
}

Status readTensors(std::shared_ptr<const ByteSource> source) {
  DTC_ASSIGN_OR_RETURN(SafetensorsReader reader,
                       SafetensorsReader::open(std::move(source)));
  for (const SafetensorsReader::Tensor &tensor : reader.tensors()) {
    DTC_ASSIGN_OR_RETURN(StoredArray array, reader.find(tensor.name));
    DTC_RETURN_IF_ERROR(readAll(array));
  }
  return Status::ok();
}

/// Every strict prefix is an error; a changed byte is an error or not, but an
/// error names the file. Returns how many changes were noticed.
int damageEverywhere(const Bytes &whole, const Reader &reader) {
  EXPECT_TRUE(reader(inMemory(whole)).isOk()) << reader(inMemory(whole));
  for (size_t length = 0; length < whole.size(); ++length) {
    Status status =
        reader(inMemory(Bytes(whole.begin(), whole.begin() + length)));
    EXPECT_EQ(status.message().substr(0, 9), "test.bin:") << length;
  }
  int noticed = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> values = {0, 1, 0x7f, 0x80, 0xff, '9', '-', '"'};
    for (int bit = 0; bit < 8; ++bit)
      values.push_back(whole[at] ^ static_cast<uint8_t>(1 << bit));
    for (uint8_t value : values) {
      Bytes changed = whole;
      changed[at] = value;
      Status status = reader(inMemory(changed));
      if (status.isOk())
        continue;
      ++noticed;
      EXPECT_EQ(status.message().substr(0, 9), "test.bin:") << status;
    }
  }
  return noticed;
}

const Bytes kIdx = {0, 0, 11, 2, 0, 0, 0, 2, 0, 0, 0, 3,
                    1, 2, 3,  4, 5, 6, 7, 8, 9, 1, 2, 3};

TEST(DataDamageTest, Idx) {
  EXPECT_GT(damageEverywhere(kIdx, readOneIdx), 100);
}

// Every byte of gzip but a few of its header is guarded by a checksum.
TEST(DataDamageTest, IdxInGzip) {
  Bytes packed = gzipBytes(kIdx) + gzipBytes({});
  EXPECT_GT(damageEverywhere(gzipBytes(kIdx), readOneIdx), 400);
  EXPECT_TRUE(readOneIdx(inMemory(packed)).isOk());
}

TEST(DataDamageTest, Npy) {
  for (int version : {1, 2})
    EXPECT_GT(damageEverywhere(npyBytes("{'descr': '<f4', 'fortran_order': "
                                        "False, 'shape': (3, 2), }  \n",
                                        Bytes(24), version),
                               readOneNpy),
              600);
}

TEST(DataDamageTest, Safetensors) {
  EXPECT_GT(
      damageEverywhere(
          safetensorsBytes(
              R"({"__metadata__":{"format":"pt"},)"
              R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
              R"("b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}} )",
              Bytes(16)),
          readTensors),
      1000);
}

} // namespace
} // namespace dtc::rt

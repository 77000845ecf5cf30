//===- DataReaderTest.cpp - idx, npy and safetensors ----------------------===//
//
// Each format: what is read, and what is refused with which words. Damage at
// every byte is DataDamageTest's business.
//
//===----------------------------------------------------------------------===//

#include "runtime/data/IdxReader.h"
#include "runtime/data/NpyReader.h"
#include "runtime/data/SafetensorsReader.h"
#include "tests/runtime/DataFiles.h"

namespace dtc::rt {
namespace {

using Values = std::vector<double>;
using Shape = std::vector<int64_t>;

std::string messageOf(const Result<StoredArray> &result) {
  return result.isOk() ? "read" : result.status().str();
}

//===----------------------------------------------------------------------===//
// idx
//===----------------------------------------------------------------------===//

const Bytes kIdx = {0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255};

TEST(IdxReaderTest, ReadsBytesAndShape) {
  Result<StoredArray> array = readIdx(inMemory(kIdx));

  ASSERT_TRUE(array.isOk()) << array.status();
  EXPECT_EQ(array->type, StoredType::kU8);
  EXPECT_EQ(array->shape, (Shape{2, 3}));
  EXPECT_EQ(valuesOf(*array), (Values{1, 2, 3, 4, 5, 255}));
}

TEST(IdxReaderTest, ReadsBigEndianNumbersOfEveryType) {
  auto read = [](uint8_t code, const Bytes &data) {
    Bytes header = {0, 0, code, 1, 0, 0, 0, 1};
    return valuesOf(*readIdx(inMemory(header + data)))[0];
  };

  EXPECT_EQ(read(0x09, {0xfe}), -2);
  EXPECT_EQ(read(0x0b, {0xff, 0xfe}), -2);
  EXPECT_EQ(read(0x0c, {0, 1, 0, 2}), 65538);
  EXPECT_EQ(read(0x0d, {0x3f, 0x80, 0, 0}), 1);
  EXPECT_EQ(read(0x0e, {0xc0, 0, 0, 0, 0, 0, 0, 0}), -2);
}

TEST(IdxReaderTest, ReadsGzipOfOneAndOfSeveralMembers) {
  Bytes head(kIdx.begin(), kIdx.begin() + 7),
      tail(kIdx.begin() + 7, kIdx.end());

  for (const Bytes &packed :
       {gzipBytes(kIdx), gzipBytes(head) + gzipBytes({}) + gzipBytes(tail)}) {
    Result<StoredArray> array = readIdx(inMemory(packed));
    ASSERT_TRUE(array.isOk()) << array.status();
    EXPECT_EQ(valuesOf(*array), (Values{1, 2, 3, 4, 5, 255}));
  }
}

TEST(IdxReaderTest, SizesMustAccountForEveryByte) {
  EXPECT_EQ(messageOf(readIdx(inMemory(kIdx + Bytes{9}))),
            "test.bin: byte 18: shape 2x3 of u8 makes 18 bytes with the "
            "header, found 19 [DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(messageOf(readIdx(inMemory(gzipBytes(kIdx + Bytes{9})))),
            "test.bin: byte 18: shape 2x3 of u8 makes 18 bytes with the "
            "header, found 19 [DTC-DATA-FILE-DAMAGED]");
  Bytes large = Bytes{0, 0, 8, 1, 0, 0, 0x10, 0} + Bytes(4099);
  EXPECT_EQ(messageOf(readIdx(inMemory(gzipBytes(large)))),
            "test.bin: byte 4104: shape 4096 of u8 makes 4104 bytes with the "
            "header, found 4105 or more [DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(messageOf(readIdx(inMemory({0, 0, 8, 1, 0, 0, 0, 4, 1}))),
            "test.bin: byte 9: shape 4 of u8 makes 12 bytes with the header, "
            "found 9 [DTC-DATA-FILE-DAMAGED]");
}

// A few bytes of gzip that claim terabytes take no memory.
TEST(IdxReaderTest, RefusesLengthsThatGzipCannotHold) {
  Bytes claim = {0, 0, 8, 2, 0xff, 0, 0, 0, 0, 0xff, 0, 0};

  EXPECT_NE(messageOf(readIdx(inMemory(gzipBytes(claim))))
                .find("more than 29 bytes of gzip can hold"),
            std::string::npos)
      << messageOf(readIdx(inMemory(gzipBytes(claim))));
}

TEST(IdxReaderTest, RefusesByName) {
  EXPECT_EQ(messageOf(readIdx(inMemory({0, 0, 7, 1, 0, 0, 0, 0}))),
            "test.bin: byte 2: type code 7, expected 8 (u8), 9 (i8), 11 (i16), "
            "12 (i32), 13 (f32) or 14 (f64) [DTC-DATA-FILE-UNSUPPORTED]");
  EXPECT_EQ(messageOf(readIdx(inMemory({0, 0, 8, 0}))),
            "test.bin: byte 3: the array has no dimension "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(messageOf(readIdx(inMemory({0, 0}))),
            "test.bin: byte 2: the file ends here, an idx header has at least "
            "4 bytes [DTC-DATA-FILE-DAMAGED]");
}

//===----------------------------------------------------------------------===//
// npy
//===----------------------------------------------------------------------===//

TEST(NpyReaderTest, ReadsEveryVersion) {
  Bytes data = bytesOf(std::vector<float>{1.5f, -2, 3, 4, 5, 6});
  for (int version : {1, 2, 3}) {
    Result<StoredArray> array = readNpy(inMemory(npyBytes(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n",
        data, version)));
    ASSERT_TRUE(array.isOk()) << array.status();
    EXPECT_EQ(array->shape, (Shape{3, 2}));
    EXPECT_EQ(valuesOf(*array), (Values{1.5, -2, 3, 4, 5, 6}));
  }
}

TEST(NpyReaderTest, KeysComeInAnyOrderAndShapesInAnyRank) {
  Bytes one = bytesOf(std::vector<int16_t>{-3});

  EXPECT_EQ(
      valuesOf(*readNpy(inMemory(npyBytes(
          "{\"shape\":(),\"descr\":\"<i2\",\"fortran_order\":True}", one)))),
      Values{-3});
  EXPECT_EQ(readNpy(inMemory(npyBytes("{'shape': (1L,), 'fortran_order': True, "
                                      "'descr': '<i2'}",
                                      one)))
                ->shape,
            Shape{1});
}

TEST(NpyReaderTest, ReadsEveryTypeInBothByteOrders) {
  auto read = [](const std::string &descr, const Bytes &data) {
    Result<StoredArray> array = readNpy(inMemory(npyBytes(
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,)}",
        data)));
    EXPECT_TRUE(array.isOk()) << array.status();
    return array.isOk() ? valuesOf(*array)[0] : 0;
  };

  EXPECT_EQ(read("|b1", {7}), 1);
  EXPECT_EQ(read("|u1", {200}), 200);
  EXPECT_EQ(read("|i1", {200}), -56);
  EXPECT_EQ(read("<u2", {1, 255}), 65281);
  EXPECT_EQ(read(">u2", {1, 255}), 511);
  EXPECT_EQ(read("<i4", {0xff, 0xff, 0xff, 0xff}), -1);
  EXPECT_EQ(read(">u4", {0, 0, 1, 0}), 256);
  EXPECT_EQ(read("<u8", {0, 0, 0, 0, 0, 0, 0, 0x80}), 0x1p63);
  EXPECT_EQ(read("<i8", {0, 0, 0, 0, 0, 0, 0, 0x80}), -0x1p63);
  EXPECT_EQ(read("<f2", {0, 0x3c}), 1);
  EXPECT_EQ(read(">f2", {0xc0, 0}), -2);
  EXPECT_EQ(read(">f8", {0x3f, 0xf8, 0, 0, 0, 0, 0, 0}), 1.5);
}

TEST(NpyReaderTest, RefusesWhatIsNoPlainArrayByRows) {
  auto message = [](const std::string &dict) {
    return messageOf(readNpy(inMemory(npyBytes(dict, {1, 2, 3, 4}))));
  };

  EXPECT_EQ(message("{'descr': '|u1', 'fortran_order': True, 'shape': (2,2)}"),
            "test.bin: shape 2x2 is stored by columns (fortran_order), "
            "expected by rows; save numpy.ascontiguousarray(x) "
            "[DTC-DATA-FILE-UNSUPPORTED]");
  EXPECT_EQ(message("{'descr': '|O', 'fortran_order': False, 'shape': (4,)}"),
            "test.bin: element type '|O' is pickled Python objects, which are "
            "not read; save an array of numbers [DTC-DATA-FILE-UNSUPPORTED]");
  EXPECT_EQ(message("{'descr': '<c8', 'fortran_order': False, 'shape': (4,)}"),
            "test.bin: element type '<c8', expected '<' or '>' and one of b1 "
            "u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 [DTC-DATA-FILE-UNSUPPORTED]");
  EXPECT_EQ(message("{'descr': [('a', '<f4')], 'fortran_order': False}"),
            "test.bin: holds records of several fields, expected one plain "
            "type [DTC-DATA-FILE-UNSUPPORTED]");
}

TEST(NpyReaderTest, SaysWhereTheHeaderIsWrong) {
  auto message = [](const std::string &dict) {
    return messageOf(readNpy(inMemory(npyBytes(dict, {1, 2, 3, 4}))));
  };

  EXPECT_EQ(message("{'descr': |u1"),
            "test.bin: byte 20: npy header: expected a string, found '|' "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message("{'descr': '|u1', 'descr': '|u1'}"),
            "test.bin: byte 27: npy header: expected one of 'descr', "
            "'fortran_order', 'shape', each once, found ''' "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message("{'descr': '|u1'}"),
            "test.bin: byte 26: npy header: expected the keys 'descr', "
            "'fortran_order' and 'shape', found its end "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message("{'descr': '|u1', 'fortran_order': False, 'shape': (-4,)}"),
            "test.bin: byte 61: npy header: expected a size, found '-' "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message("{'descr': '|u1', 'fortran_order': False, 'shape': (5,)}"),
            "test.bin: byte 65: shape 5 of u8 does not make the 4 bytes that "
            "follow the header [DTC-DATA-FILE-DAMAGED]");
}

TEST(NpyReaderTest, SizesMayNotOverflow) {
  for (const char *shape : {"99999999999999999999,", "4611686018427387904,4",
                            "4294967296,4294967297"})
    EXPECT_FALSE(readNpy(inMemory(npyBytes("{'descr': '<f8', 'fortran_order': "
                                           "False, 'shape': (" +
                                               std::string(shape) + ")}",
                                           {})))
                     .isOk());
}

//===----------------------------------------------------------------------===//
// safetensors
//===----------------------------------------------------------------------===//

const char kHeader[] =
    R"({"__metadata__":{"format":"pt"},)"
    R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]},)"
    R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
    R"("s":{"dtype":"U8","shape":[],"data_offsets":[12,13]},)"
    R"("e":{"dtype":"F64","shape":[0,3],"data_offsets":[13,13]}}   )";

const Bytes kData =
    bytesOf(std::vector<float>{1, -2}) + Bytes{0x80, 0x3f, 0, 0xc0} + Bytes{7};

TEST(SafetensorsReaderTest, ReadsTensorsAndNotes) {
  Result<SafetensorsReader> reader =
      SafetensorsReader::open(inMemory(safetensorsBytes(kHeader, kData)));

  ASSERT_TRUE(reader.isOk()) << reader.status();
  EXPECT_EQ(reader->metadata().at("format"), "pt");
  ASSERT_EQ(reader->tensors().size(), 4u);
  EXPECT_EQ(reader->tensors()[0].name, "a");
  EXPECT_EQ(valuesOf(*reader->find("a")), (Values{1, -2}));
  EXPECT_EQ(reader->find("a")->shape, (Shape{2, 1}));
  EXPECT_EQ(valuesOf(*reader->find("b")), (Values{1, -2}));
  EXPECT_EQ(valuesOf(*reader->find("s")), Values{7});
  EXPECT_EQ(reader->find("e")->elementCount(), 0);
}

TEST(SafetensorsReaderTest, NamesWhatThereIsInPlaceOfWhatIsNot) {
  Result<SafetensorsReader> reader =
      SafetensorsReader::open(inMemory(safetensorsBytes(kHeader, kData)));

  EXPECT_EQ(messageOf(reader->find("w")),
            "test.bin: holds no tensor \"w\"; it holds 4: a, b, s, e");
}

TEST(SafetensorsReaderTest, TypesThatAreNotReadAreRefusedWhenAskedFor) {
  Result<SafetensorsReader> reader =
      SafetensorsReader::open(inMemory(safetensorsBytes(
          R"({"q":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})",
          {1, 2})));

  ASSERT_TRUE(reader.isOk()) << reader.status();
  EXPECT_EQ(messageOf(reader->find("q")),
            "test.bin: tensor \"q\" is F8_E4M3, expected BOOL, an integer "
            "type, F16, BF16, F32 or F64 [DTC-DATA-FILE-UNSUPPORTED]");
}

struct BadHeader {
  const char *header;
  int dataBytes;
  const char *message;
};

class SafetensorsRulesTest : public testing::TestWithParam<BadHeader> {};

TEST_P(SafetensorsRulesTest, AreHeld) {
  const BadHeader &bad = GetParam();
  Result<SafetensorsReader> reader = SafetensorsReader::open(
      inMemory(safetensorsBytes(bad.header, Bytes(bad.dataBytes))));

  ASSERT_FALSE(reader.isOk());
  EXPECT_EQ(reader.status().code(), ErrorCode::kDataFileDamaged);
  EXPECT_NE(reader.status().message().find(bad.message), std::string::npos)
      << reader.status();
}

INSTANTIATE_TEST_SUITE_P(
    Rules, SafetensorsRulesTest,
    testing::Values(
        BadHeader{" {}", 0, "byte 8: the header does not begin with '{'"},
        BadHeader{"{", 0, "byte 9: header: "},
        BadHeader{"{\"a\xff\":1}", 0, "header: "},
        BadHeader{R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                  R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                  1, "the header holds the name \"a\" twice"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", 2,
                  "tensor \"a\" begins at data byte 1, expected 0"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                  R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                  3, "tensor \"b\" begins at data byte 1, expected 2"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 2,
                  "the tensors have 1 bytes, the file holds 2 after"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}})", 2,
                  "tensor \"a\": data_offsets is no pair"},
        BadHeader{R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})",
                  4, "shape 2 of F32 makes 64 bits, data_offsets give 4 bytes"},
        BadHeader{R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2,
                  "shape 3 of F4 makes 12 bits"},
        BadHeader{R"({"a":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})",
                  4, "tensor \"a\": unknown dtype F31"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],)"
                  R"("data_offsets":[0,0]}})",
                  0, "has more bits than can be counted"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})",
                  1, "tensor \"a\": shape is no list of sizes"},
        BadHeader{R"({"a":{"dtype":"U8","shape":[1]}})", 1,
                  "expected the keys dtype, shape, data_offsets"},
        BadHeader{R"({"__metadata__":{"x":1}})", 0,
                  "__metadata__ \"x\" is no string"}));

TEST(SafetensorsReaderTest, LengthsThatDoNotFitAreRefused) {
  auto message = [](const Bytes &bytes) {
    return SafetensorsReader::open(inMemory(bytes)).status().str();
  };

  EXPECT_EQ(message({1, 2, 3}),
            "test.bin: byte 3: the file ends here, a safetensors file has at "
            "least 8 bytes [DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message(lengthBytes(3, 8) + bytesOf("{}")),
            "test.bin: byte 0: the header has 3 bytes, only 2 follow "
            "[DTC-DATA-FILE-DAMAGED]");
  EXPECT_EQ(message(lengthBytes(1ull << 60, 8)),
            "test.bin: byte 0: the header has 1152921504606846976 bytes, the "
            "most is 100000000 [DTC-DATA-FILE-DAMAGED]");
}

} // namespace
} // namespace dtc::rt

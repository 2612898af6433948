// SPDX-License-Identifier: Apache-2.0
#include "program/npy.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy::program {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string text;
  for (const T& value : values) text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

std::string file_of(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string text = "\x93NUMPY";
  text += {static_cast<char>(version), '\0'};
  const std::size_t width = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < width; ++i)
    text.push_back(static_cast<char>(dictionary.size() >> (8 * i) & 0xff));
  return text + dictionary + data;
}

Array parsed(const std::string& text, std::optional<ElementType> wanted = std::nullopt) {
  return parse_npy(bytes_of(text), "a.npy", wanted);
}

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.text();
  }
  return "no error";
}

TEST(Npy, RoundTripsEveryElementTypeAndShape) {
  for (std::size_t i = 0; i < kElementTypes; ++i) {
    const auto element = static_cast<ElementType>(i);
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{7}, Shape{2, 3}, Shape{3, 0, 2}}) {
      Array array{{element, shape}, {}};
      array.bytes.resize(static_cast<std::size_t>(array.type.bytes()), std::byte{1});
      EXPECT_EQ(parse_npy(npy_bytes(array), "a.npy", element), array) << mlir_name(element);
    }
  }
}

TEST(Npy, WritesWhatNumPyWrites) {
  const Array array{{ElementType::f32, {2}}, bytes_of(raw({1.0F, 2.0F}))};
  const std::string want = file_of(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" + std::string(60, ' ') + "\n",
      raw({1.0F, 2.0F}));
  EXPECT_EQ(npy_bytes(array), bytes_of(want));
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
  for (const int version : {1, 2, 3}) {
    const Array array = parsed(file_of(header, raw({5, -6}), version));
    EXPECT_EQ(array.type, (TensorType{ElementType::i32, {2}}));
    EXPECT_EQ(array.bytes, bytes_of(raw({5, -6})));
  }
}

TEST(Npy, PutsFortranOrderRight) {
  // [[1, 2, 3], [4, 5, 6]] column by column.
  const Array array = parsed(file_of("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3)}",
                                     raw<std::int16_t>({1, 4, 2, 5, 3, 6})));
  EXPECT_EQ(array.bytes, bytes_of(raw<std::int16_t>({1, 2, 3, 4, 5, 6})));
}

TEST(Npy, TakesBf16AsBitPatternsAsVoidAndFromFloat) {
  const std::string bits = raw<std::uint16_t>({0x3f80, 0x4049});
  const Array want{{ElementType::bf16, {2}}, bytes_of(bits)};
  EXPECT_EQ(parsed(file_of("{'descr':'<u2','fortran_order':False,'shape':(2,)}", bits),
                   ElementType::bf16),
            want);
  EXPECT_EQ(parsed(file_of("{'descr':'|V2','fortran_order':False,'shape':(2,)}", bits)), want);
  EXPECT_EQ(parsed(file_of("{'descr':'<f4','fortran_order':False,'shape':(2,)}",
                           raw({1.0F, 3.14159274F})),
                   ElementType::bf16),
            want);
}

TEST(Npy, ExtendsFourBitIntegersWhateverStandsAboveThem) {
  const std::string codes = raw<std::uint8_t>({0x0c, 0xfc, 0x07});  // ml_dtypes leaves 0x0c for -4
  const std::string header = "{'descr':'|V1','fortran_order':False,'shape':(3,)}";
  EXPECT_EQ(parsed(file_of(header, codes), ElementType::i4).bytes,
            bytes_of(raw<std::int8_t>({-4, -4, 7})));
  EXPECT_EQ(parsed(file_of(header, codes), ElementType::ui4).bytes,
            bytes_of(raw<std::uint8_t>({12, 12, 7})));
}

TEST(Npy, RoundsFloatToBf16ToEvenAndKeepsNan) {
  // Halfway between two neighbours, one with an even last bit.
  const Array array = parsed(file_of("{'descr':'<f4','fortran_order':False,'shape':(3,)}",
                                     raw<std::uint32_t>({0x3f808000, 0x3f818000, 0x7f800001})),
                             ElementType::bf16);
  EXPECT_EQ(array.bytes, bytes_of(raw<std::uint16_t>({0x3f80, 0x3f82, 0x7fc0})));
}

TEST(Npy, LeavesOtherTypesToTheCaller) {
  const Array array = parsed(file_of("{'descr':'<i4','fortran_order':False,'shape':()}", raw({7})),
                             ElementType::f32);
  EXPECT_EQ(array.type.element, ElementType::i32);
}

TEST(Npy, ReadsBooleansAsZeroAndOne) {
  const Array array = parsed(file_of("{'descr':'|b1','fortran_order':False,'shape':(3,)}",
                                     std::string("\x00\x02\x01", 3)));
  EXPECT_EQ(array.bytes, bytes_of(std::string("\x00\x01\x01", 3)));
}

TEST(Npy, NamesTheFileAndTheFaultOfHostileHeaders) {
  const std::string whole =
      file_of("{'descr':'<f4','fortran_order':False,'shape':(1,)}", raw({1.0F}));
  const std::pair<std::string, std::string> cases[] = {
      {"", "not a usable .npy file: the .npy magic is missing"},
      {"PK\x03\x04", "not a usable .npy file: the .npy magic is missing"},
      {"\x93NUMPY", "not a usable .npy file: the file ends inside the header"},
      {whole.substr(0, 30), "not a usable .npy file: the file ends inside the header"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13),
       "not a usable .npy file: its header is longer than 1 MiB"},
      {file_of("{'descr':'<f4','fortran_order':False,'shape':(1073741824,)}", ""),
       "its header declares 4294967296 bytes of elements, but the file has 0"},
      {file_of("{}", "", 9), "not a usable .npy file: format version 9 is unknown"},
      {file_of("{}", ""),
       "not a usable .npy file: the header lacks one of 'descr', 'fortran_order' and 'shape'"},
      {file_of("{'descr':'<f4','fortran_order':False,'shape':(-1,)}", ""),
       "not a usable .npy file: 'shape' needs a non-negative size at character 47 of the header"},
      {file_of("{'descr':'<f4','fortran_order':maybe,'shape':(1,)}", ""),
       "not a usable .npy file: 'fortran_order' is neither True nor False"},
      {file_of("{'descr':'<f4','fortran_order':False,'shape':(1,)} x", ""),
       "not a usable .npy file: there is text after the header's dictionary"},
      {file_of("{'descr':'<f4','fortran_order':False,'shape':(1,),'more':1}", ""),
       "not a usable .npy file: unknown key 'more' in the header"},
      {file_of("{'descr':[('x','<f4')],'fortran_order':False,'shape':(1,)}", ""),
       "not a usable .npy file: structured dtypes are not supported; save each field as an array "
       "of "
       "its own"},
      {file_of("{'descr':'>f4','fortran_order':False,'shape':(1,)}", raw({1.0F})),
       "dtype '>f4' is big-endian; save it as little-endian: numpy.save(FILE, "
       "array.astype(array.dtype.newbyteorder('<')))"},
      {file_of("{'descr':'|O','fortran_order':False,'shape':(1,)}", raw({1.0F})),
       "dtype '|O' is not supported: it holds Python objects; save an array of numbers"},
      {file_of("{'descr':'','fortran_order':False,'shape':(1,)}", raw({1.0F})),
       "dtype '' is not supported"},
      {file_of("{'descr':'<f4','fortran_order':False,'shape':(4611686018427387904,8)}", ""),
       "its shape needs more bytes than a file can hold"},
      {whole.substr(0, whole.size() - 1),
       "its header declares 4 bytes of elements, but the file has 3"},
      {whole + "x", "its header declares 4 bytes of elements, but the file has 5"},
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(error_of(text), "error: a.npy: " + want);
}

TEST(Npy, EveryTruncationIsAnErrorAndNothingWorse) {
  const std::string whole =
      file_of("{'descr':'<f4','fortran_order':False,'shape':(1,)}", raw({1.0F}));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error_of(whole.substr(0, size)), "no error") << size;
}

TEST(Npy, SaysWhatTheSystemSaysAboutFiles) {
  try {
    read_npy("/nonexistent/a.npy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "error: cannot read /nonexistent/a.npy: No such file or directory");
  }
  try {
    write_npy("/nonexistent/a.npy", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_EQ(error.text(), "error: cannot write /nonexistent/a.npy: No such file or directory");
  }
}

// 4 TB of zeros that the header promises: the type is known without them.
TEST(Npy, TellsTheTypeOfAHugeFileByItsHeader) {
  const std::string path = testing::TempDir() + "/understudy_npy_huge.npy";
  const std::string head =
      file_of("{'descr':'<f4','fortran_order':False,'shape':(1000000000000,)}", "");
  std::ofstream(path, std::ios::binary) << head;
  std::filesystem::resize_file(path, head.size() + 4'000'000'000'000);
  const TensorType type = npy_type(path, ElementType::bf16);
  EXPECT_EQ(type.element, ElementType::bf16);
  EXPECT_EQ(type.shape, Shape{1'000'000'000'000});
  std::filesystem::resize_file(path, head.size() + 3'000'000'000'000);
  EXPECT_THROW(read_npy(path), Error);
  std::filesystem::remove(path);
}

TEST(Npy, WritesAFileThatReadsBack) {
  const std::string path = testing::TempDir() + "/understudy_npy_test.npy";
  const Array array{{ElementType::c64, {1}}, bytes_of(raw({1.0F, 2.0F}))};
  write_npy(path, array);
  EXPECT_EQ(read_npy(path), array);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace understudy::program

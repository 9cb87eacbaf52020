// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/npy_header.hpp"
#include "io/printable.hpp"
#include "io/vtk_array.hpp"
#include "io/vtk_columns.hpp"
#include "io/xml_reader.hpp"

namespace hgrid::io {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 56;  // of a file

/// An array to read: where its values go, and where it is if it comes after the XML.
struct Wanted {
  std::string name;
  VtkType type;
  std::int64_t count = 0;  // of values
  int column = -1;         // the first; -1: the time
  int components = 1;
  std::int64_t start = 0;   // of its values in the columns
  std::int64_t offset = 0;  // in characters or bytes from the '_' on
};

/// Bytes after the XML, read from front to back. If the file is not a stream, unneeded bytes are skipped.
class Appended {
 public:
  Appended(ByteSource& source, std::string begun) : source_(source), buffer_(std::move(begun)), view_(buffer_) {}

  std::int64_t byte() const { return source_.offset() - std::ssize(view_); }
  /// Returns some bytes, which may be taken off the front; none only at the end.
  std::string_view& some() {
    if (view_.empty()) {
      buffer_.resize(1 << 16);
      view_ = {buffer_.data(), source_.read(buffer_)};
    }
    return view_;
  }
  void go_to(std::int64_t byte) {
    if (const auto size = source_.size(); size && byte - source_.offset() > 0) {
      view_ = {};
      return source_.go_to(std::min(byte, *size), *size);
    }
    while (this->byte() < byte && !some().empty()) {
      view_.remove_prefix(std::min(view_.size(), static_cast<std::size_t>(byte - this->byte())));
    }
  }
  std::optional<std::int64_t> size() const { return source_.size(); }

 private:
  ByteSource& source_;
  std::string buffer_;
  std::string_view view_;
};

class VtkXmlFile final : public XmlEvents {
 public:
  VtkXmlFile(ByteSource& source, const ReadOptions& options) : source_(source), reader_(source, *this), columns_(options) {}

  ParticleTable read() {
    reader_.read();
    if (appended_) read_appended();
    if (pieces_ == 0) fail("the file has no Piece with points");
    if (columns_.size_of(0) < points_) fail("a Piece has no Points");
    ParticleTable table = columns_.table(source_.name(), reader_.line());
    table.time = time_;
    return table;
  }

 private:
  enum class Section { none, points, of_points, of_cells, of_file };

  [[noreturn]] void fail(const std::string& reason) const { fail_at_line(source_.name(), reader_.line(), reason); }

  std::int64_t count_of(const XmlAttributes& attributes, std::string_view name, std::string_view missing) const {
    const std::string_view text = attributes.get(name, missing);
    std::int64_t count;
    if (!parse_count(text, count)) fail(fmt::format("{}: '{}' is no count", name, printable(text)));
    return count;
  }

  void begin(std::string_view tag, const XmlAttributes& attributes) override {
    if (tags_++ == 0) return begin_file(tag, attributes);
    if (in_array_) {  // additional facts about the array
      ++inside_;
      return;
    }
    if (tag == "Piece") begin_piece(attributes);
    if (tag == "Points") section_ = Section::points;
    if (tag == "PointData") section_ = Section::of_points;
    if (tag == "CellData") section_ = Section::of_cells;
    if (tag == "FieldData") section_ = Section::of_file;
    if (tag == "DataArray" || tag == "Array") begin_array(attributes);
    if (tag != "AppendedData") return;
    const std::string_view encoding = attributes.get("encoding", "base64");
    if (encoding != "raw" && encoding != "base64") fail(fmt::format("AppendedData is {}", printable(encoding, 40)));
    form_ = encoding == "raw" ? VtkForm::raw : VtkForm::base64;
    appended_.emplace(source_, reader_.stop());
  }

  void text(std::string_view piece) override {
    if (!array_ || inside_ > 0) return;
    array_->take(piece);
    array_->require_end(piece);
  }

  void end(std::string_view) override {
    if (inside_ > 0) {
      --inside_;
      return;
    }
    if (std::exchange(in_array_, false)) {
      if (array_) array_->finish();
      array_.reset();
      return;
    }
    section_ = Section::none;
  }

  void begin_file(std::string_view tag, const XmlAttributes& attributes) {
    const std::string_view type = attributes.get("type"), order = attributes.get("byte_order", "LittleEndian");
    const std::string_view word = attributes.get("header_type", "UInt32"), compressor = attributes.get("compressor");
    if (tag != "VTKFile") fail(fmt::format("XML that begins with {}, not with VTKFile, is not read", printable(tag, 40)));
    if (type == "Collection") fail("a .pvd has the names of other files; give one of these");
    if (type == "PPolyData" || type == "PUnstructuredGrid") {
      fail(fmt::format("{} has the names of its pieces in other files; give one of these", type));
    }
    if (type != "PolyData" && type != "UnstructuredGrid") {
      fail(fmt::format("{} has no particles; points are PolyData or an UnstructuredGrid (in ParaView: Cell Centers)",
                       printable(type, 40)));
    }
    if (order != "LittleEndian" && order != "BigEndian") fail(fmt::format("byte_order '{}'", printable(order)));
    if (word != "UInt32" && word != "UInt64") fail(fmt::format("header_type '{}'", printable(word)));
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
      fail(fmt::format("arrays of {} are not read; let the writer use zlib, or no compression", printable(compressor)));
    }
    encoding_ = {order == "BigEndian", word == "UInt64" ? 8 : 4, !compressor.empty()};
  }

  void begin_piece(const XmlAttributes& attributes) {
    static constexpr std::int64_t most = std::int64_t{1} << 50;
    in_piece_ = count_of(attributes, "NumberOfPoints", "");
    start_ = points_;
    if (in_piece_ > most - points_) fail("more points than any file holds");
    points_ += in_piece_, ++pieces_;
  }

  void begin_array(const XmlAttributes& attributes) {
    in_array_ = true;
    const std::string name(attributes.get("Name"));
    const bool is_time = section_ == Section::of_file && name == "TimeValue" && attributes.get("NumberOfTuples", "1") == "1";
    const bool of_piece = section_ == Section::points || section_ == Section::of_points;
    if (section_ == Section::of_cells) columns_.found_of_cells(name);
    if (section_ == Section::of_points && pieces_ == 1) columns_.found(name);
    if (!is_time && !(of_piece && in_piece_ > 0)) return;

    Wanted wanted{.name = printable(name.empty() ? "Points" : name, 40), .type = {}, .count = 1, .start = start_};
    const std::int64_t components = count_of(attributes, "NumberOfComponents", "1");
    if (of_piece) {
      if (section_ == Section::points && components != 3) fail(fmt::format("Points have {} components, not 3", components));
      wanted.column = section_ == Section::points ? 0 : columns_.columns_of(name, components);
      if (wanted.column < 0) return;
      wanted.components = static_cast<int>(components);  // at most 3
      wanted.count = in_piece_ * components;
    }
    const auto type = vtk_xml_type_of(attributes.get("type"));
    if (!type) fail(fmt::format("array {}: '{}' is no type of numbers", wanted.name, printable(attributes.get("type"))));
    wanted.type = *type;
    begin_values(std::move(wanted), attributes);
  }

  void begin_values(Wanted wanted, const XmlAttributes& attributes) {
    const std::string_view format = attributes.get("format", "ascii");
    if (format == "appended") {
      wanted.offset = count_of(attributes, "offset", "");
      if (wanted.offset > most_bytes) fail(fmt::format("array {}: offset {}, behind any file", wanted.name, wanted.offset));
      return behind_.push_back(std::move(wanted));
    }
    if (format != "ascii" && format != "binary") fail(fmt::format("array {}: format '{}'", wanted.name, printable(format)));
    array_ =
        array_of(wanted, format == "ascii" ? VtkForm::ascii : VtkForm::base64,
                 [this, name = wanted.name](const std::string& reason) { fail(fmt::format("array {}: {}", name, reason)); });
  }

  std::unique_ptr<VtkArray> array_of(const Wanted& wanted, VtkForm form,
                                     std::function<void(const std::string&)> fail_of_array) {
    if (wanted.column < 0) {
      return std::make_unique<VtkArray>(
          form, encoding_, wanted.type, 1, [this](std::span<const double> values) { time_ = values.back(); },
          std::move(fail_of_array));
    }
    if (columns_.size_of(wanted.column) != wanted.start) {
      fail_of_array("it stands twice, or not in each Piece before, or its pieces are not in order");
    }
    if (const auto size = source_.size(); size && !encoding_.compressed) {  // each value takes two bytes at least, or so many
      columns_.reserve(wanted.column, wanted.components, std::min(wanted.count / wanted.components, *size / 2));
    }
    const auto sink = [this, column = wanted.column, components = wanted.components,
                       turn = 0](std::span<const double> values) mutable {
      columns_.add(column, components, turn, values);
      turn = static_cast<int>((static_cast<std::size_t>(turn) + values.size()) % static_cast<std::size_t>(components));
    };
    return std::make_unique<VtkArray>(form, encoding_, wanted.type, wanted.count, sink, std::move(fail_of_array));
  }

  void read_appended() {
    const auto fail_here = [this](const std::string& reason) { fail_at_byte(source_.name(), appended_->byte(), reason); };
    while (!appended_->some().empty() && is_xml_blank(appended_->some().front())) appended_->some().remove_prefix(1);
    if (appended_->some().empty() || appended_->some().front() != '_') fail_here("AppendedData does not begin with _");
    const std::int64_t begin = appended_->byte() + 1;
    std::ranges::stable_sort(behind_, {}, &Wanted::offset);
    for (const Wanted& wanted : behind_) {
      const auto fail_of_array = [&](const std::string& reason) {
        fail_here(fmt::format("array {}: {}", wanted.name, reason));
      };
      const auto array = array_of(wanted, form_, fail_of_array);
      if (wanted.count == 0) continue;
      if (wanted.offset < appended_->byte() - begin) fail_of_array("it begins within another array");
      appended_->go_to(begin + wanted.offset);
      while (!array->is_complete() && !appended_->some().empty()) array->take(appended_->some());
      array->finish();
    }
    require_end();
  }

  /// Detects a file that was cut off after the arrays that are read.
  void require_end() {
    static constexpr std::int64_t most = 256;
    if (const auto size = appended_->size()) appended_->go_to(*size - most);
    std::string tail;
    for (; !appended_->some().empty(); appended_->some() = {}) {
      tail += appended_->some();
      tail.erase(0, tail.size() - std::min<std::size_t>(tail.size(), most));
    }
    if (tail.find("</VTKFile>") == tail.npos)
      fail_at_byte(source_.name(), appended_->byte(), "the file ends before </VTKFile>");
  }

  ByteSource& source_;
  XmlReader reader_;
  VtkColumns columns_;
  VtkEncoding encoding_;
  Section section_ = Section::none;
  std::int64_t tags_ = 0, pieces_ = 0, points_ = 0, in_piece_ = 0, start_ = 0;
  bool in_array_ = false;
  std::int64_t inside_ = 0;          // tags within an array
  std::unique_ptr<VtkArray> array_;  // the current one
  std::vector<Wanted> behind_;
  std::optional<Appended> appended_;
  VtkForm form_ = VtkForm::raw;
  std::optional<double> time_;
};

}  // namespace

ParticleTable read_vtk_xml(ByteSource& source, const ReadOptions& options) { return VtkXmlFile(source, options).read(); }

bool is_vtk_xml(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  head = trim(head);
  return head.starts_with("<VTKFile") || (head.starts_with("<?xml") && head.find("<VTKFile") != head.npos);
}

}  // namespace hgrid::io

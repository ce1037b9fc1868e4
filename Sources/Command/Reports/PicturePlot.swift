import Calendars
import Counting
import Text

/// A bar chart of counts, stacked for several counters, or a line for the values of each formula, in the viewer's light
/// or dark scheme.
public struct PicturePlot {
  public struct Layer {
    public let name: String
    public let colour: String?
    public let series: CountSeries

    public init(name: String, colour: String?, series: CountSeries) {
      (self.name, self.colour, self.series) = (name, colour, series)
    }
  }

  public let title: String
  public let layers: [Layer]
  public let format: ValueText
  /// Whether the layers are values of formulas, drawn as lines, not counts.
  public var isOfValues = false
  /// The width in pixels. Texts have the same size in any width.
  public var width = 960.0

  private var height: Double { max(360, width / 2) }

  public init(title: String, layers: [Layer], format: ValueText, isOfValues: Bool = false) {
    (self.title, self.layers, self.format, self.isOfValues) = (title, layers, format, isOfValues)
  }

  private static let (left, right, bottom) = (84.0, 24.0, 56.0)
  /// The height of a row of the legend.
  private static let row = 24.0
  /// The palette of Okabe and Ito, which is safe for colour-blind readers; then the same colours darker and lighter.
  private static let palette = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800",
    "#004d78", "#9c6c00", "#00674b", "#8a4f71", "#2f7ca8", "#8f3f00", "#766c00",
    "#7fb8d8", "#f2cf7f", "#7fceb9", "#e5bcd3", "#aad9f4", "#eaae7f", "#dbd37f",
  ]
  private static let style = """
    svg { background: #ffffff; font-family: system-ui, "DejaVu Sans", sans-serif; }
    .title { font-size: 22px; font-weight: 600; fill: #1d1f21; } .note { font-size: 14px; fill: #5b6066; }
    .tick { font-size: 13px; fill: #5b6066; } .grid { stroke: #e3e5e8; } .axis { stroke: #5b6066; }
    @media (prefers-color-scheme: dark) {
      svg { background: #16181b; } .ground { fill: #16181b; } .title { fill: #f2f3f5; } .note, .tick { fill: #a9afb7; }
      .grid { stroke: #2c3036; } .axis { stroke: #a9afb7; }
    }

    """

  private var steps: [CountSeries.Step] { layers.first?.series.steps ?? [] }
  private var room: Double { width - Self.left - Self.right }
  private var top: Double { 84 + Double(legend.last.map { $0.row + 1 } ?? 0) * Self.row }
  private var depth: Double { height - top - Self.bottom }

  /// The picture as an SVG document.
  public func text() -> String {
    var svg = SVG()
    svg.add("rect", ["class": "ground", "width": "100%", "height": "100%", "fill": "#ffffff"])
    let (low, high, ticks) = scale()
    func y(_ value: Double) -> Double { top + depth * (high - value) / (high - low) }
    heading(&svg)
    for tick in ticks {
      let line = y(Double(tick))
      svg.add(
        "line",
        [
          "class": tick == 0 ? "axis" : "grid", "x1": SVG.number(Self.left), "x2": SVG.number(width - Self.right),
          "y1": SVG.number(line), "y2": SVG.number(line),
        ])
      svg.label(format.tick(tick), at: (Self.left - 10, line + 4), "tick", anchor: "end")
    }
    if isOfValues { lines(&svg, y) } else { bars(&svg, y) }
    times(&svg)
    let size =
      "width=\"\(Int(width))\" height=\"\(Int(height))\" viewBox=\"0 0 \(Int(width)) \(Int(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img">
      <title>\(SVG.escaped(title))</title>
      <style>
      \(Self.style)</style>
      \(svg.text)</svg>

      """
  }

  // MARK: Parts

  private func colour(_ index: Int) -> String {
    Colour.picture(layers[index].colour) ?? Self.palette[index % Self.palette.count]
  }

  private func heading(_ svg: inout SVG) {
    guard let series = layers.first?.series, let first = steps.first else { return }
    svg.label(title.clipped(to: Int(width / 14)), at: (Self.left, 34), "title")
    let span = series.unit.spanText(from: first.start, until: series.end, in: series.zone, days: series.days)
    let what = isOfValues ? "At the end of" : "Counted"
    let note = "\(what) \(series.unit.each), \(span) (\(series.zone.name))"
    svg.label(note.clipped(to: Int(room / 8)), at: (Self.left, 58), "note")
    guard layers.count > 1 else {
      let result = isOfValues ? "\(result(of: series)) at the end" : "\(result(of: series)) in all"
      return svg.label(result, at: (width - Self.right, 34), "note", anchor: "end")
    }
    for (index, entry) in legend.enumerated() {
      let y = 84 + Double(entry.row) * Self.row
      svg.add(
        "rect",
        [
          "x": SVG.number(entry.x), "y": SVG.number(y - 11), "width": "12", "height": "12", "rx": "2",
          "fill": colour(index),
        ])
      svg.label(entry.label, at: (entry.x + 18, y), "note", anchor: "start")
    }
  }

  /// The sum of the counts, or the last value.
  private func result(of series: CountSeries) -> String {
    guard !isOfValues else { return series.steps.last { $0.isKnown }.map { format.text($0.net) } ?? "no value" }
    return series.totalText
  }

  /// The entries of the legend, in rows below the heading; empty for one layer.
  private var legend: [(label: String, x: Double, row: Int)] {
    guard layers.count > 1 else { return [] }
    var (x, row) = (Self.left, 0)
    return layers.map { layer in
      let result = result(of: layer.series)
      // The font's letters are at most about 9 pixels wide on average. Half of a row holds an entry.
      let most = max(32, Int((room / 2 - 38) / 9) - result.columns - 1)
      let label = "\(layer.name.clippedInside(to: most)) \(result)"
      let taken = 18 + Double(label.columns) * 9 + 20
      if x > Self.left, x + taken > width { (x, row) = (Self.left, row + 1) }
      defer { x += taken }
      return (label, x, row)
    }
  }

  private func bars(_ svg: inout SVG, _ y: (Double) -> Double) {
    let each = room / Double(max(1, steps.count))
    for index in steps.indices {
      var (up, down) = (0.0, 0.0)
      for (layer, entry) in layers.enumerated() where entry.series.steps.indices.contains(index) {
        let value = Double(entry.series.steps[index].net)
        guard value != 0 else { continue }
        let (from, to) = value > 0 ? (up, up + value) : (down, down + value)
        if value > 0 { up = to } else { down = to }
        let (upper, lower) = (y(max(from, to)), y(min(from, to)))
        svg.add(
          "rect",
          [
            "x": SVG.number(Self.left + each * (Double(index) + 0.12)), "y": SVG.number(upper),
            "width": SVG.number(max(0.8, each * 0.76)), "height": SVG.number(max(0.5, lower - upper)),
            "fill": colour(layer),
            "rx": each > 12 ? "2" : "0",
          ])
      }
    }
  }

  /// A line for each layer through the ends of the steps, with a gap at a missing value.
  private func lines(_ svg: inout SVG, _ y: (Double) -> Double) {
    let each = room / Double(max(1, steps.count))
    for (layer, entry) in layers.enumerated() {
      let steps = Array(entry.series.steps.enumerated())
      for run in steps.split(whereSeparator: { !$0.element.isKnown }) {
        let points = run.map { index, step in
          (x: SVG.number(Self.left + each * Double(index + 1)), y: SVG.number(y(Double(step.net))))
        }
        svg.add(
          "polyline",
          [
            "points": points.map { "\($0.x),\($0.y)" }.joined(separator: " "), "fill": "none",
            "stroke": colour(layer), "stroke-width": "2.5", "stroke-linejoin": "round",
          ])
        // A single value makes no line.
        if let last = points.last {
          svg.add("circle", ["cx": last.x, "cy": last.y, "r": "4", "fill": colour(layer)])
        }
      }
    }
  }

  private func times(_ svg: inout SVG) {
    guard let series = layers.first?.series else { return }
    let each = room / Double(max(1, steps.count))
    var free = 0.0
    var day = ""
    for (index, step) in steps.enumerated() {
      let x = Self.left + each * (Double(index) + 0.5)
      let label = series.unit.shortLabel(step.start, in: series.zone)
      let half = Double(label.columns) * 4
      guard x - half >= free else { continue }
      free = x + half + 14
      svg.label(label, at: (x, height - Self.bottom + 22), "tick", anchor: "middle")
      // The label of an hour needs the date.
      let date = String(TimeUnit.day.label(step.start, in: series.zone).prefix(10))
      guard series.unit.isWithinDay, date != day else { continue }
      day = date
      svg.label(date, at: (x, height - Self.bottom + 40), "tick", anchor: "middle")
      free = max(free, x + Double(date.count) * 4 + 14)
    }
  }

  /// The lowest and the highest value of the axis, with round numbers between them.
  private func scale() -> (low: Double, high: Double, ticks: [Int64]) {
    var (low, high) = (0.0, 0.0)
    for index in steps.indices {
      let values = layers.compactMap {
        $0.series.steps.indices.contains(index) ? Double($0.series.steps[index].net) : nil
      }
      // Values of formulas are not stacked.
      high = max(high, isOfValues ? values.max() ?? 0 : values.filter { $0 > 0 }.reduce(0, +))
      low = min(low, isOfValues ? values.min() ?? 0 : values.filter { $0 < 0 }.reduce(0, +))
    }
    if high - low < 1 { high = low + 1 }
    var step = format.unit == .time ? Self.step(ofSeconds: (high - low) / 6_000_000) * 1_000_000 : 1
    let factors = [2, 2.5, 2.0]
    var turn = 0
    // 1, 2, 5, 10, 20, 50, …
    while (high - low) / step > 6, step < 1e18 {
      step *= factors[turn % 3]
      turn += 1
    }
    let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
    let ticks = stride(from: first, through: last, by: 1).map { Int64(max(-9e18, min(9e18, $0 * step))) }
    return (first * step, last * step, ticks)
  }

  /// A round time of at least so many seconds, up to ten hours.
  private static func step(ofSeconds least: Double) -> Double {
    let times: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600]
    return times.first { $0 >= least } ?? 36_000
  }
}

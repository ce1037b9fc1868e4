import Calendars

/// What was counted in each step as a picture: bars on each other for several counters, in light or dark as the viewer
/// has it.
struct PicturePlot {
  struct Layer {
    let name: String
    let colour: String?
    let series: CountSeries
  }

  let title: String
  let layers: [Layer]
  let format: ValueText

  private static let (width, height) = (960.0, 480.0)
  private static let (left, right, top, bottom) = (84.0, 24.0, 84.0, 56.0)
  /// Told apart by those who do not see all colours, too: Okabe and Ito's.
  private static let palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"]
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
  private var room: Double { Self.width - Self.left - Self.right }
  private var depth: Double { Self.height - Self.top - Self.bottom }

  func text() -> String {
    var svg = SVG()
    svg.add("rect", ["class": "ground", "width": "100%", "height": "100%", "fill": "#ffffff"])
    let (low, high, ticks) = scale()
    func y(_ value: Double) -> Double { Self.top + depth * (high - value) / (high - low) }
    heading(&svg)
    for tick in ticks {
      let line = y(Double(tick))
      svg.add(
        "line",
        [
          "class": tick == 0 ? "axis" : "grid", "x1": SVG.number(Self.left), "x2": SVG.number(Self.width - Self.right),
          "y1": SVG.number(line), "y2": SVG.number(line),
        ])
      svg.label(format.text(tick), at: (Self.left - 10, line + 4), "tick", anchor: "end")
    }
    bars(&svg, y)
    times(&svg)
    let size =
      "width=\"\(Int(Self.width))\" height=\"\(Int(Self.height))\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\""
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
    svg.label(title.clipped(to: 70), at: (Self.left, 34), "title")
    let span = series.unit.spanText(from: first.start, until: series.end, in: series.zone)
    svg.label("Counted each \(series.unit), \(span) (\(series.zone.name))", at: (Self.left, 58), "note")
    guard layers.count > 1 else {
      let total = steps.reduce(Int64(0)) { $0.addingReportingOverflow($1.net).partialValue }
      return svg.label("\(format.text(total)) in all", at: (Self.width - Self.right, 34), "note", anchor: "end")
    }
    // From the right, so that the last name ends where the picture does.
    var x = Self.width - Self.right
    for index in layers.indices.reversed() {
      let total = layers[index].series.steps.reduce(Int64(0)) { $0.addingReportingOverflow($1.net).partialValue }
      let label = "\(layers[index].name) \(format.text(total))".clipped(to: 24)
      svg.label(label, at: (x, 34), "note", anchor: "end")
      x -= Double(label.columns) * 7 + 18
      svg.add(
        "rect", ["x": SVG.number(x), "y": "23", "width": "12", "height": "12", "rx": "2", "fill": colour(index)])
      x -= 16
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
      svg.label(label, at: (x, Self.height - Self.bottom + 22), "tick", anchor: "middle")
      // Hours need to be told which day they are of.
      let date = String(TimeUnit.day.label(step.start, in: series.zone).prefix(10))
      guard series.unit == .hour || series.unit == .minute, date != day else { continue }
      day = date
      svg.label(date, at: (x, Self.height - Self.bottom + 40), "tick", anchor: "middle")
      free = max(free, x + Double(date.count) * 4 + 14)
    }
  }

  /// The lowest and the highest value of the axis, and round numbers between them.
  private func scale() -> (low: Double, high: Double, ticks: [Int64]) {
    var (low, high) = (0.0, 0.0)
    for index in steps.indices {
      let values = layers.compactMap {
        $0.series.steps.indices.contains(index) ? Double($0.series.steps[index].net) : nil
      }
      high = max(high, values.filter { $0 > 0 }.reduce(0, +))
      low = min(low, values.filter { $0 < 0 }.reduce(0, +))
    }
    if high - low < 1 { high = low + 1 }
    var step = 1.0
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
}

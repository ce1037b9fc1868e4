import Reports
import Text

/// A chart of block characters, as wide as the terminal.
struct TerminalPlot {
  let series: CountSeries
  let format: ValueText
  let width: Int
  var height = 8

  private static let eighths = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  func lines() -> [String] {
    let values = series.steps.map(\.net)
    let top = max(values.max() ?? 0, 0)
    let bottom = min(values.min() ?? 0, 0)
    let labels = [format.text(top), format.text(0), bottom < 0 ? format.text(bottom) : ""]
    let margin = labels.map(\.columns).max() ?? 0
    guard !values.isEmpty, top > 0 || bottom < 0 else { return ["Nothing was counted in that time."] }
    let room = max(values.count, width - margin - 2)
    let each = max(1, min(6, room / values.count))
    let gap = each > 2 ? 1 : 0
    let scale = Double(max(top.magnitude, bottom.magnitude))
    var lines: [String] = []
    func line(_ label: String, _ mark: String, _ cells: [String]) {
      let bars = cells.map { String(repeating: $0, count: each - gap) + String(repeating: " ", count: gap) }.joined()
      lines.append(Output.styled(label.padded(to: margin, onLeft: true) + " " + mark, .faint) + bars)
    }
    let rows = top > 0 ? max(1, Int((Double(height) * Double(top) / scale).rounded(.up))) : 0
    for row in (0..<rows).reversed() {
      let cells = values.map { value -> String in
        guard value > 0 else { return " " }
        // Any count above 0 is visible.
        let eighths = max(1, Int((Double(value) / scale * Double(height) * 8).rounded())) - row * 8
        return eighths <= 0 ? " " : Self.eighths[min(8, eighths)]
      }
      line(row == rows - 1 ? labels[0] : "", row == rows - 1 ? "┤" : "│", cells)
    }
    lines.append(axis(margin, each))
    let depth = bottom < 0 ? max(1, Int((Double(height) * Double(bottom.magnitude) / scale).rounded(.up))) : 0
    for row in 0..<depth {
      let cells = values.map { value -> String in
        guard value < 0 else { return " " }
        let halves = max(1, Int((Double(value.magnitude) / scale * Double(height) * 2).rounded())) - row * 2
        return halves <= 0 ? " " : halves == 1 ? "▀" : "█"
      }
      line(row == depth - 1 ? labels[2] : "", row == depth - 1 ? "┤" : "│", cells)
    }
    lines.append(times(margin, each))
    return lines
  }

  private func axis(_ margin: Int, _ each: Int) -> String {
    Output.styled(
      format.text(0).padded(to: margin, onLeft: true) + " ┼" + String(repeating: "─", count: series.steps.count * each),
      .faint)
  }

  /// The time labels below the columns, as many as fit.
  private func times(_ margin: Int, _ each: Int) -> String {
    var line = String(repeating: " ", count: margin + 2)
    for (index, step) in series.steps.enumerated() {
      let place = margin + 2 + index * each
      let label = series.unit.shortLabel(step.start, in: series.zone)
      guard place >= line.columns + (line.columns > margin + 2 ? 2 : 0) else { continue }
      guard place + label.columns <= max(width, margin + 2 + label.columns) else { break }
      line = line.padded(to: place) + label
    }
    return Output.styled(line, .faint)
  }
}

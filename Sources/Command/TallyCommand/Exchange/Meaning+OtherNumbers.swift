/// Headers above numbers that are no counts.
extension Meaning {
  /// The kinds of such numbers.
  private enum OtherNumber: CaseIterable {
    case sum, goal, time, standing, change, period, label, measure, rate

    /// The places of the words in a header.
    var place: Place {
      switch self {
      case .sum, .goal, .time: .side
      case .standing, .change, .label, .measure: .end
      case .period: .whole
      case .rate: .inner
      }
    }

    var words: Set<String> {
      switch self {
      case .sum:
        [
          "sum", "total", "totals", "subtotal", "grand", "overall", "all", "both", "altogether", "combined",
          "cumulative",
          "cumulated", "cum", "accumulated", "lifetime", "mtd", "qtd", "wtd", "ytd", "average", "avg", "mean", "median",
          "sums", "tot", "tot.", "ttl", "max", "maximum", "minimum", "stdev", "stddev", "variance", "ma", "σ", "∑",
          // German, French, Spanish, Italian, Dutch, Swedish.
          "summe", "zwischensumme", "tagessumme", "wochensumme", "monatssumme", "ges.", "gesamt", "gesamtsumme",
          "gesamtzahl", "insgesamt", "zusammen", "alle", "beide",
          "kumuliert", "mittelwert", "durchschnitt", "schnitt", "durchschn.", "somme", "soustotal", "cumul", "tous",
          "toutes",
          "moyenne", "moy.", "cumulé", "médiane", "suma", "todos", "todas", "ambos", "promedio", "mediana", "acumulado",
          "somma",
          "totale",
          "tutti", "entrambi", "som", "totaal", "gemiddelde", "summa", "alla", "båda", "medelvärde", "snitt",
        ]
      case .goal:
        [
          "goal", "target", "objective", "quota", "budget", "limit", "limits", "threshold", "remaining", "expected",
          "estimated", "forecast", "projected", "planned", "ziel", "tagesziel", "wochenziel", "soll", "grenze",
          "grenzwert",
          "verbleibend", "objectif", "cible", "limite", "restant", "objetivo", "meta", "límite", "restante",
          "obiettivo",
          "doel", "resterend", "mål", "återstående",
        ]
      case .time:
        [
          "last", "latest", "previous", "prev", "prior", "timestamp", "epoch", "unix", "update", "updated", "modified",
          "letzte", "dernier", "último",
        ]
      case .standing:
        [
          "step", "every", "streak", "balance", "rank", "ranking", "place", "position", "pos", "level", "rest",
          "stock", "inventory", "capacity", "occupancy", "inside", "outstanding", "score", "rating", "progress",
          "record",
          "best", "at", "far", "date", "net", "gross", "current", "ist",
          "schritt", "saldo", "stand", "rang", "platz", "übrig", "bestand", "solde", "reste", "classement", "racha",
          "puesto", "resto", "kvar",
        ]
      case .change: ["diff", "difference", "delta", "trend", "growth", "differenz", "différence", "diferencia"]
      case .period:
        [
          "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "hourly", "täglich", "wöchentlich",
          "monatlich",
          "jährlich",
        ]
      case .label:
        [
          "week", "weekno", "weeknumber", "isoweek", "calendarweek", "cw", "year", "month", "quarter", "hour",
          "weekday",
          "dayofweek", "dayofyear", "id", "uuid", "code", "zip", "version", "index", "idx", "no.", "nr", "num", "#",
          "№", "seq", "row", "rownumber", "kw", "woche", "kalenderwoche", "jahr", "monat", "quartal", "stunde",
          "wochentag", "nummer", "lfdnr", "plz", "zeile", "wk", "qtr", "yr", "serial", "semaine", "année", "mois",
          "trimestre", "heure", "numéro",
          "ligne", "semana", "año", "mes", "hora", "número", "fila", "settimana", "anno", "mese", "ora", "numero",
          "riga",
          "jaar", "maand", "uur", "vecka", "år",
        ]
      case .measure:
        [
          "rate", "ratio", "share", "percent", "percentage", "pct", "price", "cost", "weight", "height",
          "temperature", "temp", "humidity", "pressure", "speed", "pace", "age", "bmi", "bpm", "lat", "latitude", "lon",
          "lng", "longitude", "min", "anteil", "prozent", "preis", "gewicht", "größe", "temperatur", "tempo", "alter",
          "mittel", "ø", "prix", "poids", "température", "precio", "peso", "temperatura", "prezzo", "prijs",
        ]
      case .rate: ["per", "pro", "par", "por"]
      }
    }

    func has(_ words: [String]) -> Bool {
      let looked: [String?] =
        switch place {
        case .whole: [words.count == 1 ? words.first : nil]
        case .side: [words.first, words.last]
        case .end: [words.last]
        case .inner: Array(words.dropLast())
        }
      return looked.contains { $0.map(self.words.contains) ?? false }
    }
  }

  /// The places of a word in a header: the whole of it, its first or its last word, its last one, or one before that.
  private enum Place { case whole, side, end, inner }

  /// Units of measures at the end of a header, such as “Weight kg”.
  private static let units: Set<String> = ["kg", "lb", "lbs", "cm", "c", "f", "kmh", "mph", "eur", "usd", "gbp"]

  /// Whether a header is a word for other numbers than counts. A unit after it does not matter, and
  /// of what is in brackets only a word for a sum, a goal or a rate.
  static func isOfOtherNumbers(header: String) -> Bool {
    let brackets = /[(\[](.*?)[)\]]/
    let text = header.replacing(brackets, with: " ").trimmed
    let words = text.headerWords
    let measured = Array(words.prefix((words.lastIndex { !units.contains($0) } ?? -1) + 1))
    return text.contains("%") || header.matches(of: brackets).contains { isOfOtherNumbersInBrackets(String($0.1)) }
      || OtherNumber.allCases.contains { kind in
        [[text.lowercased()], [text.headerWord], measured].contains(where: kind.has)
      }
  }

  /// Whether words in the brackets of a header are of a sum, a goal or a rate: “Cars (goal)”, “Cars (per hour)”.
  private static func isOfOtherNumbersInBrackets(_ text: String) -> Bool {
    [OtherNumber.sum, .goal, .rate].contains { $0.has(text.headerWords) }
  }

  /// Whether a header, or a name in a row, is one of a sum or a mean.
  static func isOfSums(header: String) -> Bool {
    [[header.headerWord], header.headerWords].contains(where: OtherNumber.sum.has)
  }
}

extension String {
  /// The words of a header in small letters: “Daily total”, “daily_total” and “dailyTotal” have two.
  fileprivate var headerWords: [String] {
    replacing(/(\p{Ll})(\p{Lu})/) { "\($0.1) \($0.2)" }
      .replacing(/(\p{Lu})(\p{Lu}\p{Ll})/) { "\($0.1) \($0.2)" }
      .replacing(/(\p{L})(\p{N})/) { "\($0.1) \($0.2)" }
      .lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

export interface Column {
  readonly title: string;
  /** Figures stand right, words left. */
  readonly align: "left" | "right";
}

/** A column of words. */
export function left(title: string): Column {
  return { title, align: "left" };
}

/** A column of figures. */
export function right(title: string): Column {
  return { title, align: "right" };
}

/** Lines of a table for a terminal: columns as wide as their widest cell, two blanks between. `paint` colours a cell after it was padded. */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: (padded: string, row: number, column: number) => string = (padded) => padded,
): string[] {
  const widths = columns.map(({ title }, c) => Math.max(title.length, ...rows.map((row) => (row[c] ?? "").length)));
  const line = (cells: readonly string[], row: number): string =>
    columns
      .map(({ align }, c) => {
        const cell = cells[c] ?? "";
        const width = widths[c] ?? 0;
        return paint(align === "right" ? cell.padStart(width) : cell.padEnd(width), row, c);
      })
      .join("  ")
      .trimEnd();
  return [
    line(
      columns.map((column) => column.title),
      -1,
    ),
    ...rows.map(line),
  ];
}

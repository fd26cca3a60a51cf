/** One combination of a matrix: the value of each of its paths, and a name for it. */
export interface Variant {
  /** `profile=bugfix,rounds=200`; "" where there is no matrix. */
  readonly name: string;
  readonly content: unknown;
}

/** Every combination of the matrix's values laid over the rest of the file, the last path turning fastest (Y1). */
export function expandMatrix(content: unknown): Variant[] {
  if (!isMap(content)) return [{ name: "", content }];
  const { matrix, ...rest } = content;
  if (!isMap(matrix)) return [{ name: "", content: matrix === undefined ? rest : content }];
  let variants: Variant[] = [{ name: "", content: rest }];
  for (const [path, values] of Object.entries(matrix)) {
    if (!Array.isArray(values) || values.length === 0) return [{ name: "", content }];
    variants = variants.flatMap((variant) =>
      values.map((value: unknown, i) => ({
        name: [variant.name, `${path.split(".").at(-1)}=${valueName(value, i)}`]
          .filter((part) => part !== "")
          .join(","),
        content: withValue(variant.content, path.split("."), value),
      })),
    );
  }
  return variants;
}

function withValue(base: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const map = isMap(base) ? base : {};
  return { ...map, [key]: withValue(map[key], rest, value) };
}

function valueName(value: unknown, index: number): string {
  return typeof value === "object" && value !== null ? `#${index + 1}` : String(value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

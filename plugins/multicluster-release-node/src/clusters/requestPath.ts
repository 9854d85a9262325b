/** Adds a query to a path; entries that are undefined are left out. */
export function requestPath(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      parameters.append(name, String(value));
    }
  }
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

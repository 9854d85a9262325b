/** RFC 4180. Cells that a spreadsheet would take for a formula are given as text. */
export function toCsv(columns: string[], rows: (string | number | undefined)[][]): string {
  return [columns, ...rows]
    .map(row => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** A rule of design.md section 4 was broken. The seed replays it. */
export class Violation extends Error {
  override name = 'Violation';

  /** Equal for equal faults: the rule, and where one rule can be broken in many ways, which. */
  readonly kind: string;

  constructor(rule: string, detail: string, way = '') {
    super(`${rule}: ${detail}`);
    this.kind = `${rule} ${way}`.trim();
  }
}

export function violation(rule: string, detail: string, way?: string): never {
  throw new Violation(rule, detail, way);
}

/** A write was not started, because the lease may end before it does. Becomes `leaseLost`; nobody else sees it. */
export class FenceClosedError extends Error {
  constructor(subject: string) {
    super(`${subject}: the lease ends too soon for another write; its next holder goes on.`);
  }
}

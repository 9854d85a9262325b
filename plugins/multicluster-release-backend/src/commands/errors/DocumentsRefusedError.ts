import { InputError } from '@backstage/errors';

/** One thing that is wrong with what was sent. */
export interface Fault {
  code: string;
  message: string;
  /** Which document, for example `ClusterRelease/release-v2`. */
  document?: string;
  /** Path in it, for example `spec.strategy.canary.steps[0].pause`. */
  path?: string;
  cluster?: string;
}

/** 400 with every fault at once, in `error.details`. */
export class DocumentsRefusedError extends InputError {
  readonly code: string;
  readonly details: Fault[];

  constructor(code: string, details: Fault[]) {
    super(details.map(describeFault).join('\n'));
    this.code = code;
    this.details = details;
  }
}

function describeFault({ document, path, message }: Fault): string {
  const place = [document, path].filter(Boolean).join(' ');
  return place && !message.startsWith(place) ? `${place}: ${message}` : message;
}

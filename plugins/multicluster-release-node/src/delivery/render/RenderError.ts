import { InputError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-multicluster-release-common';

/** Ends the rendering of one target with a finding; caught by renderContent, seen by nobody else. */
export class RenderError extends InputError {
  constructor(
    readonly code: string,
    readonly params: Finding['params'],
    message: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

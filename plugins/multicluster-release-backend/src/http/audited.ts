import type { AuditorServiceCreateEventOptions } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import type { HttpContext } from './HttpContext';

type Meta = AuditorServiceCreateEventOptions['meta'];

export interface AuditedWrite {
  /** kebab-case */
  eventId: string;
  request: AuditorServiceCreateEventOptions['request'];
  /** Never documents or content: they may hold Secret data. */
  meta?: Meta;
}

/** Runs a write and tells the auditor how it ended. */
export async function audited<T>(
  { auditor }: Pick<HttpContext, 'auditor'>,
  write: AuditedWrite,
  work: () => Promise<T>,
): Promise<T> {
  const event = await auditor.createEvent({ ...write, severityLevel: 'medium' });
  try {
    const result = await work();
    await event.success();
    return result;
  } catch (error) {
    const { name, message } = toError(error);
    // The error itself may carry more than its message; only that is ours to hand on.
    await event.fail({ error: Object.assign(new Error(message), { name }) });
    throw error;
  }
}

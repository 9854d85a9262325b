import {
  CERTIFICATE_CODE,
  codeOf,
  RequestDeadlineError,
  TIMEOUT_CODES,
} from '../clusters/errors/errorFromFailure';
import { AnswerError } from '../clusters/readAnswer';
import { CredentialError } from '../clusters/transport/types';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection; look whether it runs, and at the port',
  ENOTFOUND: 'has a name that nobody knows; look at the address',
  EAI_AGAIN: 'has a name that cannot be looked up now; look at the DNS',
  EHOSTUNREACH: 'cannot be reached; look at the network',
  ENETUNREACH: 'cannot be reached; look at the network',
};

/** Why a request to a server of measurements has no answer, for people; nothing of what was sent is in it. */
export function describeFailure(failure: unknown): string {
  if (failure instanceof RequestDeadlineError) {
    return `gave ${failure.message}; look whether it is overloaded, or make the query cheaper`;
  }
  if (failure instanceof AnswerError) {
    return `${failure.message}; ask for one value`;
  }
  if (failure instanceof CredentialError) {
    return `is not asked: ${failure.message}; correct it in multiclusterRelease.metrics`;
  }
  const code = codeOf(failure);
  if (TIMEOUT_CODES.has(code)) {
    return 'does not answer in time; look at the network, and whether it runs';
  }
  if (CERTIFICATE_CODE.test(code)) {
    return `has a certificate that is not trusted (${code}); caFile beside its address names the authority that signed it`;
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return `does not speak TLS as it should (${code}); look whether its address is one of https`;
  }
  return REASONS[code] ?? `broke the connection (${code || 'no code'}); look whether it runs`;
}

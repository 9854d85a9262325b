import { ConflictError } from '@backstage/errors';

/** The closed set of reasons for which a command that is well-formed is refused. */
export type RefusalCode =
  | 'StageMoved'
  | 'PlanChanged'
  | 'NotAllowed'
  | 'OnHold'
  | 'ClusterListSuddenlyEmpty'
  | 'DefinitionMoved'
  | 'NothingToRollBack'
  /** Answered with 400: it is not said what is meant. */
  | 'RisksNotNamed'
  | 'PlanNotNamed';

export interface Refusal {
  code: RefusalCode;
  message: string;
  params?: Record<string, string | number>;
}

/** 409 with `error.code` and `error.params`; the state of things does not permit what was asked. */
export class RefusedError extends ConflictError {
  readonly code: RefusalCode;
  readonly params: Record<string, string | number>;

  constructor({ code, message, params }: Refusal) {
    super(message);
    this.code = code;
    this.params = params ?? {};
  }
}

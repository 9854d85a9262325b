import type { StageView } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from '../../text';

/** Names that the compiler gives are translated; those of the document are not. */
export function stageName(stage: Pick<StageView, 'name' | 'kind'>, { text }: Texts): string {
  if (stage.kind === 'promotion' && stage.name === 'promotion') {
    return text('rail.promotionName');
  }
  if (stage.kind === 'rollback' && stage.name === 'rollback') {
    return text('rail.rollbackName');
  }
  return stage.name;
}

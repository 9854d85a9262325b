import Tooltip from '@material-ui/core/Tooltip';
import { useNow, useTexts } from '../../hooks';

/** How long ago something was; the point in time shows on hover and on focus. */
export function Age({ at }: { at: number }) {
  const texts = useTexts();
  const now = useNow();
  return (
    <Tooltip title={texts.fullTime(at)}>
      {/* Focusable, because the tooltip holds what is not said elsewhere. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <time dateTime={new Date(at).toISOString()} tabIndex={0}>
        {texts.text('lanes.reported', { age: texts.age(now - at) })}
      </time>
    </Tooltip>
  );
}

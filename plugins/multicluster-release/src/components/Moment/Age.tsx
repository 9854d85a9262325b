import { useNow, useTexts } from '../../hooks';
import { Hint } from '../Hint';

/** How long ago something was; the point in time shows on hover and on focus. */
export function Age({ at }: { at: number }) {
  const texts = useTexts();
  const now = useNow();
  return (
    <Hint words={texts.fullTime(at)}>
      <time dateTime={new Date(at).toISOString()}>
        {texts.text('lanes.reported', { age: texts.age(now - at) })}
      </time>
    </Hint>
  );
}

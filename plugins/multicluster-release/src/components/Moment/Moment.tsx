import { useNow, useTexts } from '../../hooks';

/** A point in time with its zone; the full date is its title. */
export function Moment({ at, seconds = false }: { at: number; seconds?: boolean }) {
  const texts = useTexts();
  const now = useNow(60_000);
  return (
    <time dateTime={new Date(at).toISOString()} title={texts.fullTime(at)}>
      {seconds ? texts.clock(at, now) : texts.time(at, now)}
    </time>
  );
}

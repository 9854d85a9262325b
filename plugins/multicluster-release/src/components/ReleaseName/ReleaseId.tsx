import { useTexts } from '../../hooks';
import { shortId } from '../../text';
import { Hint } from '../Hint';

/** The id of a release, short; in full on hover and on focus. */
export function ReleaseId({ id }: { id: string }) {
  const { text } = useTexts();
  return <Hint words={id}>{text('header.id', { id: shortId(id) })}</Hint>;
}

/** Something that whoever starts can put right; its message is one line, without a stack. */
export class StartError extends Error {
  name = 'StartError';
}

const COLLECTION =
  /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?/;

/**
 * What a request is about, in the order of our messages: `secrets/shop/token`
 * for an object, `pods` or `pods/shop` for a collection, else the path.
 */
export function describeSubject(path: string): string {
  const match = COLLECTION.exec(path);
  if (!match) {
    return path;
  }
  const [, namespace, plural, name] = match;
  return [plural, namespace, name].filter(part => part !== undefined).join('/');
}

/** True where an answer may quote Secret values. */
export function concernsSecrets(path: string, body: object | string | undefined): boolean {
  const match = COLLECTION.exec(path);
  if (match && match[2] === 'secrets') {
    return true;
  }
  if (typeof body === 'string') {
    return /"?kind"?\s*:\s*"?Secret(List)?\b/.test(body);
  }
  return body !== undefined && (body as { kind?: unknown }).kind === 'Secret';
}

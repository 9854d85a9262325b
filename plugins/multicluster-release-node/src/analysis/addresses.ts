const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/** An address in one spelling, or why it is none. */
export type Address = { url: URL; problem?: undefined } | { url?: undefined; problem: string };

/** An http or https URL without credentials: those would end up in records and messages. */
export function parseAddress(text: string): Address {
  if (!URL.canParse(text)) {
    return { problem: 'is no URL; write for example https://prometheus.example.org' };
  }
  const url = new URL(text);
  if (!(url.protocol in DEFAULT_PORTS)) {
    return { problem: 'must begin with https:// or http://' };
  }
  if (url.username || url.password) {
    return { problem: 'holds a credential; take it out' };
  }
  url.hash = '';
  return { url };
}

/** The address of a Prometheus in one spelling: two that mean the same are equal. */
export function serverAddress(text: string): { address: string } | { problem: string } {
  const { url, problem } = parseAddress(text);
  if (!url) {
    return { problem };
  }
  if (url.search) {
    return { problem: 'must end before the ?' };
  }
  return { address: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}

/** What messages name of an address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'an address that is no URL';
}

/** Whether a list of `host` and `host:port` has the host of this URL; without a port it means that of the scheme. */
export function isHostAllowed(url: URL, allowed: readonly string[]): boolean {
  const withPort = `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`;
  return allowed.includes(withPort) || (url.port === '' && allowed.includes(url.hostname));
}

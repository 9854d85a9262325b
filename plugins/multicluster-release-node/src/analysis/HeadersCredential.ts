import type { Timing } from '../clusters/Timing';
import { TokenFileCredential } from '../clusters/transport/TokenFileCredential';
import type { Credential, CredentialSource } from '../clusters/transport/types';
import type { MetricServerConfig } from './MetricsConfig';

/** A shorter one, such as the number of a tenant, is no secret, and would tear holes into every text. */
const SHORTEST_SECRET = 4;

/** The headers of the configuration, and a bearer token from a file. */
export class HeadersCredential implements CredentialSource {
  private readonly token: TokenFileCredential | undefined;
  private readonly secrets = new Set<string>();

  constructor(
    private readonly config: Pick<MetricServerConfig, 'headers' | 'tokenFile'>,
    timing: Pick<Timing, 'now'>,
  ) {
    this.token = config.tokenFile ? new TokenFileCredential(config.tokenFile, timing) : undefined;
  }

  async current(): Promise<Credential> {
    const fromFile = await this.token?.current();
    const headers = { ...this.config.headers, ...fromFile?.headers };
    Object.values(headers).forEach(value => this.remember(value));
    return { headers };
  }

  async renew(): Promise<void> {
    await this.token?.renew();
  }

  /** A text without anything that was ever sent as one of the headers. */
  withoutSecrets(text: string): string {
    return [...this.secrets].reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  }

  /** With and without its scheme, as in `Bearer abc`; the longer one goes first. */
  private remember(value: string): void {
    const [, bare = ''] = /^\S+ (\S+)$/.exec(value) ?? [];
    [value, bare]
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .forEach(secret => this.secrets.add(secret));
  }
}

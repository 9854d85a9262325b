import { readFile } from 'node:fs/promises';
import type { Timing } from '../Timing';
import { CredentialError, type Credential, type CredentialSource } from './types';

/** How long a token is used before its file is looked at again; the kubelet replaces it well before it expires. */
const REREAD_MILLISECONDS = 10_000;

/** A bearer token from a file that somebody else keeps fresh. */
export class TokenFileCredential implements CredentialSource {
  private token: string | undefined;
  private readAt = 0;

  constructor(private readonly path: string, private readonly timing: Pick<Timing, 'now'>) {}

  async current(): Promise<Credential> {
    if (this.token === undefined || this.timing.now() - this.readAt >= REREAD_MILLISECONDS) {
      await this.read();
    }
    return { headers: { authorization: `Bearer ${this.token}` } };
  }

  renew(): Promise<void> {
    return this.read();
  }

  private async read(): Promise<void> {
    const token = (await this.readText()).trim();
    if (token === '' || /\s/.test(token)) {
      throw new CredentialError(`the token file ${this.path} does not hold one token`);
    }
    this.token = token;
    this.readAt = this.timing.now();
  }

  private async readText(): Promise<string> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      const { code } = error as { code?: string };
      throw new CredentialError(
        `the token file ${this.path} cannot be read (${code ?? 'unknown'})`,
      );
    }
  }
}

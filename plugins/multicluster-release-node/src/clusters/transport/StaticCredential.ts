import type { Credential, CredentialSource } from './types';

/** A credential that stays until the configuration is read again. */
export class StaticCredential implements CredentialSource {
  constructor(private readonly credential: Credential) {}

  async current(): Promise<Credential> {
    return this.credential;
  }

  async renew(): Promise<void> {}
}

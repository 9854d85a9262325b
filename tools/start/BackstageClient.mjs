import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MILLISECONDS = 250;
const GUEST = 'user/default/guest';

/** The backend's HTTP API, as the guest. */
export class BackstageClient {
  #base;
  /** @type {string | undefined} */
  #token;

  /** @param {number} port */
  constructor(port) {
    this.#base = `http://127.0.0.1:${port}`;
  }

  /**
   * Waits until every plugin of the backend has started.
   *
   * @param {{ timeoutSeconds: number, signal: AbortSignal }} limits the signal says that nobody waits any more
   */
  async untilReady(limits) {
    await this.#until('is not ready', limits, async () => {
      const answer = await fetch(`${this.#base}/.backstage/health/v1/readiness`);
      return answer.ok;
    });
  }

  /**
   * Waits until the catalog has an entity.
   *
   * @param {string} path for example `component/default/checkout`
   * @param {{ timeoutSeconds: number, signal: AbortSignal }} limits
   */
  async untilInCatalog(path, limits) {
    await this.#until(`does not have ${path} in its catalog`, limits, async () =>
      Boolean(await this.#entity(path)),
    );
  }

  /**
   * Waits until the catalog knows the groups of the guest: whoever signs in
   * before owns nothing, and may release nothing, until the token is renewed.
   *
   * @param {{ timeoutSeconds: number, signal: AbortSignal }} limits
   */
  async untilGuestHasGroups(limits) {
    await this.#until(`does not know the groups of ${GUEST}`, limits, async () => {
      const guest = await this.#entity(GUEST);
      return guest?.relations?.some(({ type }) => type === 'memberOf');
    });
    this.#token = undefined;
  }

  /**
   * @param {string} path below `/api/multicluster-release`
   * @returns {Promise<any>}
   * @throws {Error} with what the backend says
   */
  async get(path) {
    return this.#body(await this.send('GET', `/api/multicluster-release/${path}`));
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async post(path, body) {
    return this.#body(await this.send('POST', `/api/multicluster-release/${path}`, body));
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async send(method, path, body) {
    this.#token ??= await this.#signIn();
    return fetch(`${this.#base}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  }

  /** @param {string} path @returns {Promise<any>} undefined: there is none */
  async #entity(path) {
    const answer = await this.send('GET', `/api/catalog/entities/by-name/${path}`);
    return answer.ok ? answer.json() : undefined;
  }

  async #signIn() {
    const answer = await fetch(`${this.#base}/api/auth/guest/refresh`, { method: 'POST' });
    const { backstageIdentity } = await this.#body(answer);
    return backstageIdentity.token;
  }

  /** @param {Response} answer */
  async #body(answer) {
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      const { message } = body.error ?? {};
      throw new Error(message ?? `${new URL(answer.url).pathname}: answered ${answer.status}`);
    }
    return body;
  }

  /**
   * @param {string} complaint continues `The backend`
   * @param {{ timeoutSeconds: number, signal: AbortSignal }} limits
   * @param {() => Promise<boolean | undefined>} isSo an error counts as not yet
   */
  async #until(complaint, { timeoutSeconds, signal }, isSo) {
    const giveUpAt = Date.now() + timeoutSeconds * 1000;
    while (!(await isSo().catch(() => false))) {
      signal.throwIfAborted();
      if (Date.now() > giveUpAt) {
        throw new Error(`${complaint} after ${timeoutSeconds} s`);
      }
      await sleep(LOOK_AGAIN_MILLISECONDS);
    }
  }
}

import { readFile } from 'node:fs/promises';
import type { KubeConfig, User } from '@kubernetes/client-node';
import type { ExecSpec } from '../transport/ExecCredential';
import type { AllowedAccess } from './ClustersConfig';
import { type AccessRules, checkServer } from './checkServer';
import type { ClusterAccess, CredentialAccess } from './types';

type KubeconfigCluster = NonNullable<ReturnType<KubeConfig['getCluster']>>;

/**
 * How one context of a kubeconfig is dialled, or why it is not. Starts no
 * program and opens no connection (C15); a context that cannot be used costs
 * the others nothing.
 *
 * @param clusterName - as we call the cluster; the allow lists may name it or the context
 */
export async function accessFromContext(
  kubeconfig: KubeConfig,
  contextName: string,
  clusterName: string,
  allow: AllowedAccess,
): Promise<ClusterAccess> {
  const context = kubeconfig.getContextObject(contextName);
  if (!context) {
    return refuse(
      `the kubeconfig has no context ${contextName}; it has ${namesOf(kubeconfig) || 'none'}`,
    );
  }
  const cluster = kubeconfig.getCluster(context.cluster);
  if (!cluster) {
    return refuse(
      `context ${contextName} names the cluster ${context.cluster}, which the kubeconfig does not have`,
    );
  }
  const user = context.user ? kubeconfig.getUser(context.user) : undefined;
  if (!user) {
    return refuse(`context ${contextName} names no user that the kubeconfig has`);
  }
  const rules = { names: [clusterName, contextName], allow };
  const why =
    (cluster.proxyUrl && 'its kubeconfig asks for a proxy-url, which is not supported') ||
    checkServer({ server: cluster.server, insecureSkipTlsVerify: cluster.skipTLSVerify }, rules) ||
    checkUser(user, rules);
  if (why) {
    return refuse(why);
  }
  try {
    return await directAccess(cluster, user);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'its kubeconfig cannot be used');
  }
}

async function directAccess(cluster: KubeconfigCluster, user: User): Promise<ClusterAccess> {
  return {
    type: 'direct',
    server: cluster.server,
    certificateAuthority: await pem('certificate-authority', cluster.caData, cluster.caFile),
    tlsServerName: cluster.tlsServerName,
    insecureSkipTlsVerify: cluster.skipTLSVerify,
    impersonateUser: user.impersonateUser || undefined,
    credential: await credentialOf(cluster, user),
  };
}

function checkUser(user: User, rules: AccessRules): string | undefined {
  if (user.authProvider) {
    return 'its kubeconfig user has an auth-provider, which Kubernetes no longer supports; use a token, a client certificate or exec';
  }
  const allowed = rules.names.some(name => rules.allow.exec.includes(name));
  if (user.exec && !allowed) {
    return `its kubeconfig user starts a program (exec); name ${rules.names.at(
      -1,
    )} in multiclusterRelease.allow.exec to let it`;
  }
  const usable = user.exec || user.token || user.username || user.certData || user.certFile;
  return usable
    ? undefined
    : 'its kubeconfig user has no token, client certificate or password; for a token file use access.token';
}

async function credentialOf(cluster: KubeconfigCluster, user: User): Promise<CredentialAccess> {
  if (user.exec) {
    return { type: 'exec', spec: execSpec(cluster, user.exec) };
  }
  if (user.token) {
    return { type: 'token', token: user.token.trim() };
  }
  if (user.username) {
    return { type: 'password', username: user.username, password: user.password ?? '' };
  }
  const certificate = await pem('client-certificate', user.certData, user.certFile);
  const key = await pem('client-key', user.keyData, user.keyFile);
  if (!certificate || !key) {
    throw new Error(
      'its kubeconfig user has a client certificate without a key, or a key without a certificate',
    );
  }
  return { type: 'certificate', certificate, key };
}

interface KubeconfigExec {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  provideClusterInfo?: boolean;
}

function execSpec(cluster: KubeconfigCluster, exec: KubeconfigExec): ExecSpec {
  if (!exec.command) {
    throw new Error('its kubeconfig user has exec without a command');
  }
  return {
    apiVersion: exec.apiVersion ?? 'client.authentication.k8s.io/v1',
    command: exec.command,
    args: exec.args ?? [],
    env: Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    cluster: exec.provideClusterInfo
      ? { server: cluster.server, 'certificate-authority-data': cluster.caData }
      : undefined,
  };
}

async function pem(
  what: string,
  data: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (data) {
    return Buffer.from(data, 'base64').toString('utf8');
  }
  if (!file) {
    return undefined;
  }
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`its ${what} file ${file} cannot be read (${code ?? 'unknown'})`);
  }
}

function namesOf(kubeconfig: KubeConfig): string {
  return kubeconfig
    .getContexts()
    .map(context => context.name)
    .join(', ');
}

function refuse(why: string): ClusterAccess {
  return { type: 'refused', why };
}

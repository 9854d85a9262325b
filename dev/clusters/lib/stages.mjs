/**
 * What kwok plays instead of kubelets and storage: short stages, in which the
 * image of a pod decides how it fares. kwok's own stages wait many seconds.
 *
 * Each pod has one behaviour. To add one: a name in BEHAVIOUR, a line in PODS.
 */

/** The default storage class of each cluster. A claim of any other class stays Pending. */
export const STORAGE_CLASS = 'standard';

/** The sample service's version that is there to crash. */
const CRASHING = 'broken|checkout:3\\\\.0\\\\.0(@|$)';

/** A jq expression that names the behaviour of a pod. */
const BEHAVIOUR = `
  ([.spec.containers[].image] | join(" ")) as $images
  | (.metadata.ownerReferences // [] | any(.kind == "Job")) as $isJob
  | if any(.spec.containers[].image; test("${CRASHING}")) then (if $isJob then "fail" else "crash" end)
    elif $images | test("nopull") then "nopull"
    elif $images | test("slow") then (if $isJob then "complete-slowly" else "ready-slowly" end)
    elif $isJob then "complete"
    else "ready" end`;

const isStaying = when('.metadata.deletionTimestamp', 'DoesNotExist');

/** A crashed container, as it is seen between two attempts. */
const CRASHED = `
  ready: false
  started: false
  state: { waiting: { reason: CrashLoopBackOff, message: {{ printf "back-off 10s restarting failed container=%s" .name | Quote }} } }
  lastState: { terminated: { exitCode: 1, reason: Error, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }`;

const PODS = [
  pod('ready', { afterMilliseconds: 300, status: running() }),
  pod('ready-slowly', { afterMilliseconds: 5000, status: running() }),
  pod('crash', { afterMilliseconds: 300, status: crashing() }),
  pod('nopull', { afterMilliseconds: 300, status: notPulled() }),
  pod('complete', { afterMilliseconds: 300, status: ended('Completed', 0) }),
  pod('complete-slowly', {
    afterMilliseconds: 5000,
    status: ended('Completed', 0),
  }),
  pod('fail', { afterMilliseconds: 300, status: ended('Error', 1) }),
];

/**
 * @param {{ kubernetesVersion: string }} options
 * @returns {string} A configuration file for kwok.
 */
export function stagesFile({ kubernetesVersion }) {
  return [
    nodeReady(kubernetesVersion),
    ...PODS,
    crashAgain(),
    podDelete(),
    volumeForClaim(),
    volumeDelete(),
  ]
    .map(document => JSON.stringify(document, undefined, 2))
    .join('\n---\n');
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {{ match: object[], delay?: object, steps: object[] }} spec
 */
function stage(name, kind, { match, delay, steps }) {
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind },
      selector: { matchExpressions: match },
      ...(delay && { delay }),
      steps,
    },
  };
}

/** @param {string} expression jq @param {'In' | 'NotIn' | 'Exists' | 'DoesNotExist'} operator @param {string[]} [values] */
function when(expression, operator, values) {
  return { jq: { key: expression, operator, ...(values && { values }) } };
}

/** @param {string} template */
function patchStatus(template) {
  return { patch: { subresource: 'status', root: 'status', template } };
}

/**
 * The first and, but for crashes, only thing that happens to a pod once it has a node.
 *
 * @param {string} behaviour
 * @param {{ afterMilliseconds: number, status: string }} what
 */
function pod(behaviour, { afterMilliseconds, status }) {
  return stage(`pod-${behaviour}`, 'Pod', {
    match: [
      isStaying,
      when('.status.phase', 'In', ['Pending']),
      when('.status.containerStatuses', 'DoesNotExist'),
      when(BEHAVIOUR, 'In', [behaviour]),
    ],
    delay: { durationMilliseconds: afterMilliseconds },
    steps: [patchStatus(status)],
  });
}

/** @param {{ ready: boolean, phase: string, containers: string }} what */
function podStatus({ ready, phase, containers }) {
  const status = ready ? 'True' : 'False';
  return `
{{ $now := Now }}
conditions:
- { type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }} }
- { type: Ready, status: "${status}", lastTransitionTime: {{ $now | Quote }}${
    ready ? '' : ', reason: ContainersNotReady'
  } }
- { type: ContainersReady, status: "${status}", lastTransitionTime: {{ $now | Quote }}${
    ready ? '' : ', reason: ContainersNotReady'
  } }
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
${containers}
{{ end }}
{{ with .spec.initContainers }}
initContainerStatuses:
{{ range . }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  ready: true
  restartCount: 0
  {{ if eq (or .restartPolicy "") "Always" }}
  started: true
  state: { running: { startedAt: {{ $now | Quote }} } }
  {{ else }}
  state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }
  {{ end }}
{{ end }}
{{ end }}
{{ with NodeIPWith .spec.nodeName }}
hostIP: {{ . | Quote }}
{{ end }}
{{ with PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
podIP: {{ . | Quote }}
podIPs: [{ ip: {{ . | Quote }} }]
{{ end }}
phase: ${phase}
startTime: {{ $now | Quote }}
`;
}

function running() {
  return podStatus({
    ready: true,
    phase: 'Running',
    containers: `
  ready: true
  started: true
  restartCount: 0
  state: { running: { startedAt: {{ $now | Quote }} } }`,
  });
}

function crashing() {
  return podStatus({
    ready: false,
    phase: 'Running',
    containers: `
  restartCount: 1${CRASHED}`,
  });
}

function notPulled() {
  return podStatus({
    ready: false,
    phase: 'Pending',
    containers: `
  ready: false
  started: false
  restartCount: 0
  state: { waiting: { reason: ImagePullBackOff, message: {{ printf "Back-off pulling image \\"%s\\"" .image | Quote }} } }`,
  });
}

/** @param {string} reason @param {number} exitCode */
function ended(reason, exitCode) {
  return podStatus({
    ready: false,
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containers: `
  ready: false
  started: false
  restartCount: 0
  state: { terminated: { exitCode: ${exitCode}, reason: ${reason}, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} } }`,
  });
}

/** The restart count rises a few times and then rests: an idle cluster should cost nothing. */
function crashAgain() {
  return stage('pod-crash-again', 'Pod', {
    match: [
      isStaying,
      when('.status.containerStatuses[0].state.waiting.reason', 'In', ['CrashLoopBackOff']),
      when('.status.containerStatuses[0].restartCount < 5', 'In', ['true']),
    ],
    delay: { durationMilliseconds: 5000, jitterDurationMilliseconds: 8000 },
    steps: [
      // The list is replaced as a whole: what is not sent again would be gone.
      patchStatus(`
{{ $now := Now }}
containerStatuses:
{{ range .status.containerStatuses }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  imageID: ""
  restartCount: {{ add .restartCount 1 }}${CRASHED}
{{ end }}
`),
    ],
  });
}

function podDelete() {
  return stage('pod-delete', 'Pod', {
    match: [when('.metadata.deletionTimestamp', 'Exists')],
    steps: [{ delete: true }],
  });
}

/**
 * A node becomes ready when nobody has said anything about it yet. One that a
 * test has made not ready stays so.
 */
function nodeReady(/** @type {string} */ kubernetesVersion) {
  return stage('node-ready', 'Node', {
    match: [when('.status.conditions // [] | .[] | select(.type == "Ready")', 'DoesNotExist')],
    steps: [
      patchStatus(`
{{ $now := Now }}
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
addresses:
- { type: Hostname, address: {{ .metadata.name | Quote }} }
allocatable: { cpu: "32", memory: 64Gi, pods: "250" }
capacity: { cpu: "32", memory: 64Gi, pods: "250" }
nodeInfo:
  architecture: amd64
  bootID: ""
  containerRuntimeVersion: kwok
  kernelVersion: kwok
  kubeProxyVersion: ""
  kubeletVersion: ${kubernetesVersion}
  machineID: ""
  operatingSystem: linux
  osImage: kwok
  systemUUID: ""
`),
    ],
  });
}

/** Makes the volume that a claim of our storage class asks for; Kubernetes' own controller binds the two. */
function volumeForClaim() {
  return stage('volume-for-claim', 'PersistentVolumeClaim', {
    match: [
      isStaying,
      when('.status.phase', 'In', ['Pending']),
      when('.spec.volumeName', 'DoesNotExist'),
      when('.spec.storageClassName', 'In', [STORAGE_CLASS]),
    ],
    steps: [
      {
        apply: {
          template: `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: {{ printf "pvc-%s" .metadata.uid | Quote }}
spec:
  accessModes: {{ .spec.accessModes | toJson }}
  capacity: { storage: {{ .spec.resources.requests.storage | Quote }} }
  claimRef:
    apiVersion: v1
    kind: PersistentVolumeClaim
    namespace: {{ .metadata.namespace | Quote }}
    name: {{ .metadata.name | Quote }}
    uid: {{ .metadata.uid | Quote }}
  hostPath: { path: /nowhere }
  persistentVolumeReclaimPolicy: Retain
  storageClassName: ${STORAGE_CLASS}
  volumeMode: {{ or .spec.volumeMode "Filesystem" }}
`,
        },
      },
    ],
  });
}

/** The volume of a claim that was deleted. */
function volumeDelete() {
  return stage('volume-delete', 'PersistentVolume', {
    match: [
      isStaying,
      when('.status.phase', 'In', ['Released']),
      when('.spec.storageClassName', 'In', [STORAGE_CLASS]),
    ],
    steps: [{ delete: true }],
  });
}

/** Recorded request bodies of kubectl 1.32, with the objects that they encode. */
export const recordings: { command: string; body: string; object: unknown }[] = [
  {
    command: 'create namespace team-a',
    body: 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEh4KFgoGdGVhbS1hEgAaACIAKgAyADgAQgASABoCCgAaACIA',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' }, spec: {}, status: {} },
  },
  {
    command: 'create configmap settings --from-literal=mode=fast --from-literal=empty= --from-file=blob',
    body: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwElMKHgoIc2V0dGluZ3MSABoGdGVhbS1hIgAqADIAOABCABIJCgVlbXB0eRIAEgwKBG1vZGUSBGZhc3QaGAoEYmxvYhIQdG9rZW46IHMzY3LDqXQA/xoAIgA=',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'team-a' },
      data: { mode: 'fast', empty: '' },
      binaryData: { blob: 'dG9rZW46IHMzY3LDqXQA/w==' },
    },
  },
  {
    command: 'create secret generic token --from-literal=user=ada --from-file=key',
    body: 'azhzAAoMCgJ2MRIGU2VjcmV0EkUKGwoFdG9rZW4SABoGdGVhbS1hIgAqADIAOABCABIXCgNrZXkSEHRva2VuOiBzM2Nyw6l0AP8SCwoEdXNlchIDYWRhGgAaACIA',
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token', namespace: 'team-a' },
      data: { user: 'YWRh', key: 'dG9rZW46IHMzY3LDqXQA/w==' },
    },
  },
  {
    command: 'create serviceaccount builder',
    body: 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSHwodCgdidWlsZGVyEgAaBnRlYW0tYSIAKgAyADgAQgAaACIA',
    object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder', namespace: 'team-a' } },
  },
  {
    command: 'create rolebinding ada-admin --clusterrole=admin --user=ada --group=devs --serviceaccount=team-a:builder',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxLNAQofCglhZGEtYWRtaW4SABoGdGVhbS1hIgAqADIAOABCABIoCgRVc2VyEhlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvGgNhZGEiABIqCgVHcm91cBIZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxoEZGV2cyIAEiMKDlNlcnZpY2VBY2NvdW50EgAaB2J1aWxkZXIiBnRlYW0tYRovChlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvEgtDbHVzdGVyUm9sZRoFYWRtaW4aACIA',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'ada-admin', namespace: 'team-a' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ada' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'devs' },
        { kind: 'ServiceAccount', name: 'builder', namespace: 'team-a' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
    },
  },
  {
    command: 'create clusterrolebinding ada-view --clusterrole=view --user=ada',
    body: 'azhzAAoyChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEhJDbHVzdGVyUm9sZUJpbmRpbmcSdAoYCghhZGEtdmlldxIAGgAiACoAMgA4AEIAEigKBFVzZXISGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8aA2FkYSIAGi4KGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8SC0NsdXN0ZXJSb2xlGgR2aWV3GgAiAA==',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'ada-view' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ada' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    },
  },
  {
    command: 'create role reader --verb=get,list --resource=pods,secrets --resource-name=one',
    body: 'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEkEKHAoGcmVhZGVyEgAaBnRlYW0tYSIAKgAyADgAQgASIQoDZ2V0CgRsaXN0EgAaBHBvZHMaB3NlY3JldHMiA29uZRoAIgA=',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader', namespace: 'team-a' },
      rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'secrets'], resourceNames: ['one'] }],
    },
  },
  {
    command: 'create clusterrole health --verb=get --non-resource-url=/healthz',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIpChYKBmhlYWx0aBIAGgAiACoAMgA4AEIAEg8KA2dldCoIL2hlYWx0aHoaACIA',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'health' },
      rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
    },
  },
  {
    command: 'create clusterrole agg --aggregation-rule=tier=x,app=y',
    body: 'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIuChMKA2FnZxIAGgAiACoAMgA4AEIAGhcKFQoICgNhcHASAXkKCQoEdGllchIBeBoAIgA=',
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'agg' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { app: 'y', tier: 'x' } }] },
    },
  },
  {
    command:
      'create token builder --duration=10m --audience=https://a --bound-object-kind=Pod --bound-object-name=p --bound-object-uid=u-1',
    body: 'azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBI7ChAKABIAGgAiACoAMgA4AEIAEiEKCWh0dHBzOi8vYRoRCgNQb2QSAnYxGgFwIgN1LTEg2AQaBAoAEgAaACIA',
    object: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {
        audiences: ['https://a'],
        boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u-1' },
        expirationSeconds: 600,
      },
      status: { token: '' },
    },
  },
  {
    command: 'auth can-i create pods/log',
    body: 'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSQQoQCgASABoAIgAqADIAOABCABIjCiEKBnRlYW0tYRIGY3JlYXRlGgAiACoEcG9kczIAOgNsb2caCAgAEgAaACAAGgAiAA==',
    object: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { namespace: 'team-a', verb: 'create', resource: 'pods', name: 'log' } },
      status: { allowed: false },
    },
  },
  {
    command: 'auth can-i get /healthz',
    body: 'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSLwoQCgASABoAIgAqADIAOABCABIREg8KCC9oZWFsdGh6EgNnZXQaCAgAEgAaACAAGgAiAA==',
    object: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
      status: { allowed: false },
    },
  },
  {
    command: 'auth can-i --list',
    body: 'azhzAAoxChdhdXRob3JpemF0aW9uLms4cy5pby92MRIWU2VsZlN1YmplY3RSdWxlc1JldmlldxIiChAKABIAGgAiACoAMgA4AEIAEggKBnRlYW0tYRoEGAAiABoAIgA=',
    object: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      metadata: {},
      spec: { namespace: 'team-a' },
      status: { incomplete: false },
    },
  },
  {
    command: 'auth whoami',
    body: 'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
    object: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
      status: { userInfo: {} },
    },
  },
]

/** `create deployment one --image=nginx:1.27 --port=8080 -- sh -c 'sleep 1'`: an unsupported kind with a pod. */
export const deploymentBody =
  'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EtYBCiUKA29uZRIAGgZ0ZWFtLWEiACoAMgA4AEIAWgoKA2FwcBIDb25lEp4BCAESDAoKCgNhcHASA29uZRqDAQocCgASABoAIgAqADIAOABCAFoKCgNhcHASA29uZRJjEkUKBW5naW54EgpuZ2lueDoxLjI3GgJzaBoCLWMaB3NsZWVwIDEqADILCgAQABiQPyIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA='

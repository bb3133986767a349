import { nudgeConfigName, nudgeConfigType, nudgeModes } from '../builds/nudge-config'
import { ageColumn, conditions, defineCrd, object, oneOf, time, type Schema } from './define-crd'

const name: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
}

const nudge = object(
  {
    from: name,
    to: name,
    mode: { ...oneOf(...nudgeModes), default: nudgeModes[0] },
    gatingGroup: { type: 'string', maxLength: 63 },
  },
  ['from', 'to'],
)

export const nudgeConfigs = defineCrd({
  group: nudgeConfigType.group,
  kind: 'NudgeConfig',
  plural: 'nudgeconfigs',
  shortNames: ['nc'],
  rules: [
    {
      rule: `self.metadata.name == '${nudgeConfigName}'`,
      message: `NudgeConfig must be named '${nudgeConfigName}' (singleton per namespace)`,
    },
  ],
  versions: [
    {
      name: 'v1beta2',
      spec: {
        ...object({ nudges: { type: 'array', maxItems: 256, items: nudge } }),
        'x-kubernetes-validations': [
          {
            rule: '!has(self.nudges) || self.nudges.all(n, n.from != n.to)',
            message: 'self-nudge not allowed: from and to must be different',
          },
          {
            rule: '!has(self.nudges) || self.nudges.all(i, self.nudges.exists_one(j, i.from == j.from && i.to == j.to))',
            message: 'duplicate (from, to) pair not allowed',
          },
        ],
      },
      status: object({ conditions, lastValidationTime: time }),
      columns: [ageColumn],
    },
  ],
})

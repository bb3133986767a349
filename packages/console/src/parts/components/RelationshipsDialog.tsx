import { Alert, Button, Content, ExpandableSection } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { type Component, componentsOf } from '@slipway/model/builds/component'
import {
  findCycle,
  findFirstNudging,
  nudgesAfter,
  type NudgeType,
  relationsOf,
} from '@slipway/model/builds/component-relations'
import type { NudgeMode } from '@slipway/model/builds/nudge-config'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { inSteps } from '../../api/writes/in-steps'
import type { ApplicationParams } from '../../paths'
import { Dialog } from '../../ui/dialogs/Dialog'
import { fieldsOf } from '../../ui/form/fields'
import { FormDialog } from '../../ui/form/FormDialog'
import type { Option } from '../../ui/form/options'
import { type ResourceForm, useResourceForm } from '../../ui/form/resource-form'
import { NudgeRipple } from './NudgeRipple'
import {
  blankRelation,
  isPrerequisite,
  type RelationshipsInput,
  type RelationshipsScope,
  relationshipsSchema,
  relationshipsWrites,
} from './relationships-form'
import { type NudgeConfigState, useNudgeConfig } from './use-nudge-config'

const { FieldRows, SelectField, MultiSelectField } = fieldsOf<RelationshipsInput>()

interface RelationshipsDialogProps {
  at: ApplicationParams
  /** All of the namespace, as they are now. */
  components: readonly Component[]
  onClose: () => void
}

/** Defines which components nudge those of an application, and which those nudge. */
export function RelationshipsDialog(props: RelationshipsDialogProps) {
  const state = useNudgeConfig(props.at.namespace)
  // It opens a moment later on a page that has not read this before.
  return state.isPending ? null : <RelationshipsForm {...props} {...state} />
}

function RelationshipsForm({ at, components, config, unknown, onClose }: RelationshipsDialogProps & NudgeConfigState) {
  const [before] = useState(() => relationsOf(components, at.application, config))
  const [isUpdated, setIsUpdated] = useState(false)
  const scope = { namespace: at.namespace, components, before, config }
  const form: ResourceForm<RelationshipsInput, RelationshipsInput> = useResourceForm({
    schema: relationshipsSchema(scope),
    defaults: { relations: before.length > 0 ? before : [blankRelation(config)] },
    toWrites: (values) => relationshipsWrites(scope, values),
    perform: inSteps({
      isPrerequisite: (write) => isPrerequisite(scope, form.fields.getValues(), write),
      onProgress: () => undefined,
    }),
    // An added row that is empty, or the same relation in another row, changes nothing.
    blocked: (values) => (relationshipsWrites(scope, values).length === 0 ? 'unchanged' : undefined),
    onDone: () => setIsUpdated(true),
    onCancel: onClose,
  })
  const relations = form.fields.watch('relations')
  if (isUpdated) return <UpdatedDialog onClose={onClose} />
  return (
    <FormDialog title="Component relationships" submitLabel="Save" variant="medium" form={form}>
      {unknown && (
        <Alert isInline variant="warning" component="p" title={unknown}>
          If there is one, the platform ignores the relationships shown and saved here, which components name
          themselves.
        </Alert>
      )}
      <FieldRows
        name="relations"
        label="Relationships"
        description="When a component has a new image, each component that it nudges gets a pull request to use that image."
        noun="relationship"
        isOrderFixed
        newRow={() => blankRelation(config)}
        blankRow={blankRelation(config)}
      >
        {(index) => (
          <RelationFields
            index={index}
            application={at.application}
            components={components}
            before={before}
            hasModes={config !== undefined}
          />
        )}
      </FieldRows>
      <RipplePreview at={at} scope={scope} relations={relations} />
    </FormDialog>
  )
}

interface RipplePreviewProps {
  at: ApplicationParams
  scope: RelationshipsScope
  /** As entered, whether saved or not. */
  relations: RelationshipsInput['relations']
}

/** What rebuilds after each component with which nudging starts; no build is read before it is opened. */
function RipplePreview(preview: RipplePreviewProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  return (
    <ExpandableSection
      toggleText="What rebuilds with these relationships"
      isExpanded={isExpanded}
      onToggle={(_, expanded) => setIsExpanded(expanded)}
    >
      {isExpanded && <Ripples {...preview} />}
    </ExpandableSection>
  )
}

function Ripples({ at, scope: { components, before, config }, relations }: RipplePreviewProps) {
  if (findCycle(components, before, relations, config)) {
    return (
      <Content component="p">Builds would follow each other without end. Remove the cycle to see the waves.</Content>
    )
  }
  const starts = findFirstNudging(relations)
  if (starts.length === 0) return <Content component="p">No component nudges another.</Content>
  const nudges = nudgesAfter(components, before, relations, config)
  return starts.map((start) => (
    <NudgeRipple key={start} at={at} start={start} components={components} nudges={nudges} />
  ))
}

const types: Option<NudgeType>[] = [
  { value: 'nudges', label: 'Nudges' },
  { value: 'nudges-by', label: 'Is nudged by' },
]

const modes: Option<NudgeMode>[] = [
  { value: 'immediate', label: 'After each build' },
  { value: 'validated', label: 'After its tests pass' },
]

interface RelationFieldsProps {
  index: number
  application: string
  components: readonly Component[]
  before: RelationshipsInput['relations']
  hasModes: boolean
}

/** A component is no longer offered in one of the fields once it is selected in the other. */
function RelationFields({ index, application, components, before, hasModes }: RelationFieldsProps) {
  const relation = useWatch<RelationshipsInput, `relations.${number}`>({ name: `relations.${index}` })
  const stored = before.find(
    ({ source, type, mode }) => source === relation.source && type === relation.type && mode === relation.mode,
  )
  const existing = components.filter(({ metadata }) => !metadata.deletionTimestamp)
  const sources = componentsOf(components, application)
    .filter((component) => !relation.targets.includes(nameOf(component)))
    .map((component) => ({ value: nameOf(component) }))
  const targets = existing
    .filter((component) => nameOf(component) !== relation.source)
    .map((component) => ({
      value: nameOf(component),
      description: component.spec.application === application ? undefined : component.spec.application,
    }))
  return (
    <>
      <SelectField name={`relations.${index}.source`} label="Component" options={sources.toSorted(byValue)} />
      <SelectField name={`relations.${index}.type`} label="Relationship" options={types} isRequired />
      <MultiSelectField
        name={`relations.${index}.targets`}
        label="Related components"
        options={targets.toSorted(byValue)}
        storedOrder={stored?.targets}
      />
      {hasModes && <SelectField name={`relations.${index}.mode`} label="When" options={modes} isRequired />}
    </>
  )
}

const byValue = (a: Option, b: Option): number => (a.value < b.value ? -1 : 1)

const UpdatedDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Relationships updated!" onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
    The next builds of the components that nudge others create pull requests accordingly.
  </Dialog>
)

import { Switch, ToggleGroup, ToggleGroupItem, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core'
import GraphIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-topology-icon'
import ListIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-list-icon'
import TimelineIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-sort-down-large-to-small-icon'
import type { ReactNode } from 'react'
import type { GraphView } from './graph-url'

const styles: Record<GraphView, { text: string; icon: ReactNode }> = {
  graph: { text: 'Graph', icon: <GraphIcon /> },
  list: { text: 'List', icon: <ListIcon /> },
  timeline: { text: 'Timeline', icon: <TimelineIcon /> },
}

interface GraphViewsProps {
  offered: readonly GraphView[]
  view: GraphView
  onView: (view: GraphView) => void
  /** More switches. */
  children?: ReactNode
}

/** Switches between the views of a graph. */
export const GraphViews = ({ offered, view, onView, children }: GraphViewsProps) => (
  <Toolbar inset={{ default: 'insetNone' }} className="slipway-graph-views">
    <ToolbarContent>
      <ToolbarItem>
        <ToggleGroup aria-label="View">
          {offered.map((each) => (
            <ToggleGroupItem
              key={each}
              text={styles[each].text}
              icon={styles[each].icon}
              buttonId={`view-${each}`}
              isSelected={each === view}
              onChange={() => onView(each)}
            />
          ))}
        </ToggleGroup>
      </ToolbarItem>
      {children}
    </ToolbarContent>
  </Toolbar>
)

/** For a graph whose tasks have conditions. */
export const WhenSwitch = ({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <ToolbarItem alignSelf="center">
    <Switch id="graph-when" label="Show conditions" isChecked={isOn} onChange={(_, isChecked) => onChange(isChecked)} />
  </ToolbarItem>
)

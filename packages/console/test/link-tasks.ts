import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { isUnderWay } from '../src/resources/link-task-state'
import { linkTasks } from '../src/resources/link-task-store'

/** Waits for the link tasks of a test, which would go on in the cluster of the next one. */
export const linkTasksEnded = () => waitFor(() => expect(linkTasks.get().filter(isUnderWay)).toEqual([]))

import { RunHistory } from '../../../main/history/run-history.ts';
import { iterationEvents, requestOf, startEvent } from './events.ts';

/** Records a run that never ends into the folder that is named, until it is killed. */
const [folder = ''] = process.argv.slice(2);
const history = new RunHistory({ folder });
const recorder = history.recorder(requestOf({ run: 'killed', iterations: 100_000 }), 'lab');
recorder.take(startEvent());
let iteration = 0;
setInterval(() => {
  for (const event of iterationEvents(iteration++)) recorder.take(event);
  if ((history.list().runs[0]?.done ?? 0) > 0) process.stdout.write('written\n');
}, 5);

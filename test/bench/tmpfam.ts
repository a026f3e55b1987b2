import { measured, predicted, ALL_CASES } from '../support/llm-cases.ts';
const only = new RegExp(process.env.ONLY!);
const cases = ALL_CASES.filter((c) => only.test(c.name) && !c.share);
const found = measured<any>(cases, process.env.PY!, 'torch_llm.py');
cases.forEach((one, i) => {
  let p: any;
  try {
    p = predicted(one);
  } catch (e) {
    console.log('ERR', one.name, (e as Error).message);
    return;
  }
  const m = found[i]!;
  const d = p.savedBytes / m.savedBytes - 1;
  const bad =
    Math.abs(d) > (one.checkpointing ? 0.02 : 0.01) ||
    p.parameters !== m.parameters ||
    p.trained !== m.trained ||
    String(p.shape) !== String(m.shape);
  console.log(
    bad ? 'BAD' : 'ok ',
    one.name,
    p.savedBytes,
    m.savedBytes,
    (100 * d).toFixed(2) + '%',
    p.parameters - m.parameters,
    p.trained - m.trained,
  );
});

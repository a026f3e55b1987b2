import { statedOptions } from '../../../../engine/options/options.ts';
import { useEffect, useMemo, useState } from 'react';
import type { ExplainRequestInput } from '../../../../app/contract/measured.ts';
import type { Explanation } from '../../../../engine/explain/explanation.ts';
import { asSentence } from '../../../shared/format/sentence.ts';
import type { MeasuredFile } from '../../../state/files/measured-file.ts';
import type { CompareView } from '../../../state/parts/use-compare-view.ts';
import { follow, once } from '../../../state/requests/follow.ts';
import { useLabView, useWorkspace } from '../../../state/workspace/use-workspace.ts';
import { tensorsRequest } from '../tensors/tensors-request.ts';

export interface Explained {
  /** The last answer; of a previous question until the next one comes. */
  readonly found: Explanation | null;
  readonly refusal: string | null;
  readonly stale: boolean;
}

const NOTHING: Explained = { found: null, refusal: null, stale: true };

/** Measured memory over the plan of the strategy in front, at the experiment's batch. */
export function useExplained(view: CompareView, file: MeasuredFile): Explained {
  const { connection } = useWorkspace();
  const { experiment } = useLabView();
  const [explained, setExplained] = useState(NOTHING);
  const { shown } = view.state;
  const name = view.front?.identity.name ?? null;
  const request = useMemo<ExplainRequestInput | null>(() => {
    if (file.state !== 'open' || shown === null || name === null) return null;
    const plan = tensorsRequest(experiment, shown, name);
    if (plan === null) return null;
    const { batch } = experiment;
    const { measured, cuda } = file;
    return {
      ...plan,
      batch,
      ...statedOptions(experiment, 'memory'),
      measured,
      ...(cuda === undefined ? {} : { cuda }),
    };
  }, [file, experiment, shown, name]);
  useEffect(() => {
    setExplained((before) => ({ ...before, stale: true }));
    if (request === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    void follow(
      () => once(connection.client.explain(request, { signal })),
      signal,
      (found) => setExplained({ found, refusal: null, stale: false }),
    ).then((failure) => {
      if (failure === null || signal.aborted) return;
      setExplained({ found: null, refusal: asSentence(failure.message), stale: false });
    });
    return () => abort.abort();
  }, [connection, request]);
  return explained;
}

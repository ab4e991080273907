import { ArrowDownToLine, MessageSquareText } from 'lucide-react';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { useAtTime, useCall } from '../call-context.tsx';
import { segmentAt } from './segments.ts';
import { useNotesBySegment } from '../notes/use-annotations.ts';
import { FindBar } from './find-bar.tsx';
import { useFind, type Match } from './use-find.ts';
import { useFollow } from './use-follow.ts';
import { useUtteranceList, type UtteranceList } from './use-utterance-list.ts';
import { Utterance } from './utterance.tsx';

const none: Match[] = [];

/** The transcript. Only the visible part is rendered, so that an hour is as fast as a minute. */
export function TranscriptPanel() {
  const { segments } = useCall();
  const find = useFind(segments);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useUtteranceList(segments, scroller);
  const active = useAtTime((ms) => segmentAt(segments, ms));
  const { isFollowing, follow } = useFollow({ scroller, list, active, match: find.current });
  useWordClicks(scroller);
  if (segments.length === 0) {
    return (
      <Empty icon={<MessageSquareText aria-hidden />} title="Nobody speaks in this call">
        The recording holds no words.
      </Empty>
    );
  }
  return (
    <section aria-label="Transcript" className="relative flex h-full min-h-0 flex-col">
      <FindBar find={find} />
      <div
        ref={scroller}
        role="region"
        aria-label="What was said"
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        <Utterances list={list} active={active} find={find} />
      </div>
      {!isFollowing && (
        <Button
          size="sm"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 !rounded-full shadow-float"
          icon={<ArrowDownToLine className="size-3.5" aria-hidden />}
          onClick={follow}
        >
          Follow
        </Button>
      )}
    </section>
  );
}

type ListProps = { list: UtteranceList; active: number; find: ReturnType<typeof useFind> };

function Utterances({ list, active, find }: ListProps) {
  const { segments, target, transcript } = useCall();
  const notes = useNotesBySegment();
  const names = useMemo(() => new Map(transcript?.speakers.map(({ id, name }) => [id, name])), [transcript]);
  return (
    <ol className="relative" style={{ height: list.getTotalSize() }}>
      {list.getVirtualItems().map(({ index, key, start }) => {
        const segment = segments[index];
        if (!segment) return null;
        return (
          <li
            key={key}
            ref={list.measureElement}
            data-index={index}
            aria-setsize={segments.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            <Utterance
              segment={segment}
              name={names.get(segment.speaker) ?? null}
              isActive={index === active}
              isTurn={segments[index - 1]?.speaker !== segment.speaker}
              quote={target?.segmentId === segment.id ? target.quote : null}
              matches={find.bySegment.get(index) ?? none}
              currentMatch={find.current?.index === index ? find.current : null}
              notes={notes.get(segment.id)}
            />
          </li>
        );
      })}
    </ol>
  );
}

/** One listener for ten thousand words. For the keyboard, each utterance has a button. */
function useWordClicks(scroller: RefObject<HTMLDivElement | null>): void {
  const { player, hasAudio } = useCall();
  useEffect(() => {
    const element = scroller.current;
    if (!element || !hasAudio) return;
    const onClick = ({ target }: MouseEvent): void => {
      const word = target instanceof Element ? target.closest<HTMLElement>('[data-ms]') : null;
      if (!word || getSelection()?.isCollapsed === false) return;
      player.seek(Number(word.dataset.ms));
      player.play();
    };
    element.addEventListener('click', onClick);
    return () => element.removeEventListener('click', onClick);
  }, [scroller, player, hasAudio]);
}

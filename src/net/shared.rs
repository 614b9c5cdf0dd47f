//! One network for all workers.
//!
//! A graphics card is quick with large batches and has one queue for all. So the network on it has an owner: two
//! threads that by turns collect what workers ask, in batches by count or time, and have it judged. While one of them
//! waits for the card, the other brings the next batch together and hands it over, so that the card need not wait.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tch::TchError;

use super::deployed::Said;
use super::moves::MoveScores;
use super::{Deployed, Findings, Layout, NetError, Network, set_threads};
use crate::eval::Device;

/// Threads of an owner.
const HANDS: usize = 2;

/// A batch is full with so many positions.
const FULL: usize = 2048;

/// How long a batch that is not full waits for more.
const PATIENCE: Duration = Duration::from_millis(1);

/// What a worker asks: the planes of some positions, one behind the other.
struct Question {
    planes: Vec<f32>,
    answer: Sender<Result<Said, Arc<TchError>>>,
}

/// A network at work for all evaluators that [share](super::NetEvaluator::sharing) it.
pub struct Shared {
    layout: Layout,
    move_scores: Arc<MoveScores>,
    findings: Findings,
    desk: Arc<Desk>,
    /// None while the owner is being let go.
    questions: Option<Sender<Question>>,
    hands: Vec<JoinHandle<()>>,
}

/// A worker's access to a network that it shares.
pub(super) struct Seat(Arc<Shared>);

/// What is known of those who ask.
struct Desk {
    /// Who may ask; each waits for its answer before it asks again.
    seats: AtomicUsize,
    /// Questions that have been collected and not judged.
    at_work: AtomicUsize,
    /// Numbers that a batch is full with.
    full: usize,
    patience: Duration,
}

/// Where questions come in. Only the hands hold it, so that nobody waits for an answer once they are gone.
type Incoming = Arc<Mutex<Receiver<Question>>>;

/// What tells a shared network from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub device: Device,
    pub game: &'static str,
    /// The fingerprint of its weights.
    pub weights: u64,
}

/// The networks at work, so that all workers who ask for one find the same.
static AT_WORK: Mutex<Vec<(Key, Weak<Shared>)>> = Mutex::new(Vec::new());

impl Shared {
    /// The network that goes by `key`, which `start` puts to work if it is not yet. It leaves its device with the last
    /// evaluator that shares it.
    ///
    /// # Errors
    ///
    /// Those of `start`.
    pub(super) fn find_or_start(
        key: Key,
        start: impl FnOnce() -> Result<Self, NetError>,
    ) -> Result<Arc<Self>, NetError> {
        let mut at_work = locked(&AT_WORK);
        at_work.retain(|(_, network)| network.strong_count() > 0);
        if let Some(found) = at_work.iter().find(|(of, _)| *of == key).and_then(|(_, net)| net.upgrade()) {
            return Ok(found);
        }
        let started = Arc::new(start()?);
        at_work.push((key, Arc::downgrade(&started)));
        Ok(started)
    }

    /// Puts a network to work on a device that is there, in the precision that was found to do.
    ///
    /// # Errors
    ///
    /// If the system gives no threads.
    pub fn start(network: &Network, findings: Findings, device: Device) -> Result<Self, NetError> {
        let (questions, incoming) = mpsc::channel();
        let incoming = Arc::new(Mutex::new(incoming));
        let desk = Arc::new(Desk {
            seats: AtomicUsize::new(0),
            at_work: AtomicUsize::new(0),
            full: FULL * network.layout().shape.len(),
            patience: PATIENCE,
        });
        // A tensor is one thread's at a time, so each hand has a copy.
        let copies = [(); HANDS].map(|()| Deployed::on(network, findings.precision, device));
        let move_scores = copies[0].move_scores().clone();
        let hand = |net: Deployed| -> io::Result<JoinHandle<()>> {
            let (desk, incoming) = (desk.clone(), incoming.clone());
            thread::Builder::new().name("network".into()).spawn(move || desk.serve(&net, &incoming))
        };
        let hands = copies.into_iter().map(hand).collect::<io::Result<Vec<_>>>();
        let hands = hands.map_err(|source| NetError::NoThread { source })?;
        let layout = network.layout().clone();
        Ok(Self { layout, move_scores, findings, desk, questions: Some(questions), hands })
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn move_scores(&self) -> &Arc<MoveScores> {
        &self.move_scores
    }

    pub(super) fn findings(&self) -> Findings {
        self.findings
    }
}

impl Drop for Shared {
    /// Waits until the network has left its device, so that the next one finds room there.
    fn drop(&mut self) {
        self.questions = None;
        for hand in self.hands.drain(..) {
            // One that panicked has been told of by whoever it left without an answer.
            let _ = hand.join();
        }
    }
}

impl Seat {
    pub fn at(shared: Arc<Shared>) -> Self {
        shared.desk.seats.fetch_add(1, Ordering::Relaxed);
        Self(shared)
    }

    /// What the network says of some positions, once it has.
    ///
    /// # Errors
    ///
    /// If libtorch fails, or the owner is gone.
    ///
    /// # Panics
    ///
    /// If there are no positions, or not whole ones.
    pub fn ask(&self, planes: &[f32]) -> Result<Said, Box<dyn Error + Send + Sync>> {
        assert!(
            !planes.is_empty() && planes.len().is_multiple_of(self.0.layout.shape.len()),
            "whole positions"
        );
        let gone = || "the thread that owns the network has ended";
        let (answer, answered) = mpsc::channel();
        let questions = self.0.questions.as_ref().expect("an owner stays while there are seats");
        questions.send(Question { planes: planes.to_vec(), answer }).map_err(|_| gone())?;
        Ok(answered.recv().map_err(|_| gone())??)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.desk.seats.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Desk {
    /// Answers questions until nobody can ask any more.
    fn serve(&self, net: &Deployed, incoming: &Incoming) {
        set_threads(1);
        while let Some(questions) = self.collect(incoming) {
            let said = judged(net, &questions);
            // Before anybody has an answer, who could ask again at once.
            self.at_work.fetch_sub(questions.len(), Ordering::Relaxed);
            deal_out(said, &questions);
        }
    }

    /// The next questions: until a batch is full, everybody waits, or its time is up. None if nobody can ask any more.
    fn collect(&self, incoming: &Incoming) -> Option<Vec<Question>> {
        let incoming = locked(incoming);
        let mut batch = vec![incoming.recv().ok()?];
        let until = Instant::now() + self.patience;
        let may_still_ask = |batch: &[Question]| {
            self.seats.load(Ordering::Relaxed) > batch.len() + self.at_work.load(Ordering::Relaxed)
        };
        while numbers(&batch) < self.full && may_still_ask(&batch) {
            match incoming.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(question) => batch.push(question),
                Err(_) => break,
            }
        }
        self.at_work.fetch_add(batch.len(), Ordering::Relaxed);
        Some(batch)
    }
}

/// How many numbers the planes of some questions are.
fn numbers(questions: &[Question]) -> usize {
    questions.iter().map(|question| question.planes.len()).sum()
}

/// What a network says of the positions of all questions, judged as one batch.
fn judged(net: &Deployed, questions: &[Question]) -> Result<Said, TchError> {
    let mut planes = Vec::with_capacity(numbers(questions));
    questions.iter().for_each(|question| planes.extend_from_slice(&question.planes));
    let mut said = Said::default();
    net.say(&planes, &mut said).map(|()| said)
}

/// Gives every question its part of what came out. Who no longer waits for an answer gets none.
fn deal_out(said: Result<Said, TchError>, questions: &[Question]) {
    let said = match said {
        Ok(said) => said,
        Err(error) => {
            let error = Arc::new(error);
            questions.iter().for_each(|question| drop(question.answer.send(Err(error.clone()))));
            return;
        }
    };
    let all = numbers(questions);
    let (mut features, mut wdl) = (&said.features[..], &said.wdl[..]);
    for question in questions {
        let part = |rest: &mut &[f32], whole: usize| {
            let (own, others) = rest.split_at(whole * question.planes.len() / all);
            *rest = others;
            own.to_vec()
        };
        let own =
            Said { features: part(&mut features, said.features.len()), wdl: part(&mut wdl, said.wdl.len()) };
        let _ = question.answer.send(Ok(own));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Shape;
    use crate::net::{NetConfig, Precision};
    use crate::units::Count;

    /// Longer than any test takes, unless what it tests is broken.
    const LONG: Duration = Duration::from_secs(30);

    const FINDINGS: Findings = Findings { precision: Precision::Float32, rows_alike: true };

    /// A desk, where questions come in, and who sends them.
    fn desk(seats: usize, full: usize, patience: Duration) -> (Desk, Incoming, Sender<Question>) {
        let (questions, incoming) = mpsc::channel();
        let [seats, at_work] = [seats, 0].map(AtomicUsize::new);
        (Desk { seats, at_work, full, patience }, Arc::new(Mutex::new(incoming)), questions)
    }

    fn ask(questions: &Sender<Question>, times: usize) {
        for _ in 0..times {
            let question = Question { planes: vec![0.0; 10], answer: mpsc::channel().0 };
            questions.send(question).expect("the desk is there");
        }
    }

    /// How many questions the next batch has, and whether it came before anybody's patience was at its end.
    fn collected(desk: &Desk, incoming: &Incoming) -> (Option<usize>, bool) {
        let start = Instant::now();
        let questions = desk.collect(incoming).map(|questions| questions.len());
        (questions, start.elapsed() < desk.patience)
    }

    #[test]
    fn a_batch_is_closed_by_count() {
        let (desk, incoming, questions) = desk(usize::MAX, 20, LONG);
        ask(&questions, 5);
        assert_eq!([(); 2].map(|()| collected(&desk, &incoming)), [(Some(2), true); 2]);
    }

    #[test]
    fn a_batch_is_closed_when_everybody_waits() {
        let (desk, incoming, questions) = desk(3, 1000, LONG);
        ask(&questions, 3);
        assert_eq!(collected(&desk, &incoming), (Some(3), true));
        // These three are at work, and nobody is left who could ask but the one on a fourth seat.
        desk.seats.store(4, Ordering::Relaxed);
        ask(&questions, 1);
        assert_eq!(collected(&desk, &incoming), (Some(1), true));
    }

    #[test]
    fn a_batch_is_closed_by_time_and_the_desk_with_its_last_seat() {
        let (desk, incoming, questions) = desk(9, 1000, Duration::from_millis(5));
        ask(&questions, 1);
        assert_eq!(collected(&desk, &incoming), (Some(1), false));
        drop(questions);
        assert_eq!(collected(&desk, &incoming).0, None);
    }

    /// A little network with weights of its own.
    fn network(seed: u64) -> Network {
        let layout = Layout {
            game: "a little board".into(),
            shape: Shape { planes: 3, rows: 4, files: 5 },
            plane_names: ["one", "two", "three"].map(Into::into).into(),
            policy_planes: 2,
            policy_cells: (0..40).collect(),
            secret_kinds: 0,
        };
        let config = NetConfig { channels: Count::literal(16), ..NetConfig::default() };
        let network = Network::new(&config, &layout, seed);
        let last = network.tensors().into_iter().find(|(name, _)| name == "value.wdl.weight");
        let _ = tch::no_grad(|| last.expect("a weight").1.uniform_(-1.0, 1.0));
        network
    }

    fn at_work(network: &Network) -> Arc<Shared> {
        Arc::new(Shared::start(network, FINDINGS, Device::Cpu).expect("threads"))
    }

    /// The planes of so many positions, unlike those of other seeds.
    fn planes(positions: usize, seed: usize) -> Vec<f32> {
        (0..positions * 60).map(|place| ((place * 7 + seed * 13) as f32).sin()).collect()
    }

    #[test]
    fn everybody_is_told_of_their_own_positions() {
        let network = network(1);
        let shared = at_work(&network);
        thread::scope(|scope| {
            for worker in 0..4 {
                let seat = Seat::at(shared.clone());
                let alone = Deployed::new(&network, Precision::Float32);
                scope.spawn(move || {
                    set_threads(1);
                    for round in 0..25 {
                        let planes = planes(16 + worker + round, 100 * worker + round);
                        let told = seat.ask(&planes).expect("an answer");
                        let mut expected = Said::default();
                        alone.say(&planes, &mut expected).expect("it runs");
                        let told = [told.wdl, told.features].concat();
                        let expected = [expected.wdl, expected.features].concat();
                        assert_eq!(told.len(), expected.len());
                        let mut pairs = told.iter().zip(&expected);
                        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-4), "worker {worker}, round {round}");
                    }
                });
            }
        });
        assert_eq!(shared.desk.seats.load(Ordering::Relaxed), 0);
        assert_eq!(shared.desk.at_work.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn nobody_waits_for_an_owner_that_is_gone() {
        let net = Deployed::new(&network(2), Precision::Float32);
        let (desk, incoming, questions) = desk(1, 1000, LONG);
        // One that dies of its first question.
        let hand = thread::spawn(move || drop(desk.collect(&incoming)));
        let seat = Seat::at(Arc::new(Shared {
            layout: net.layout().clone(),
            move_scores: net.move_scores().clone(),
            findings: FINDINGS,
            desk: Arc::new(self::desk(0, 1000, LONG).0),
            questions: Some(questions),
            hands: vec![hand],
        }));
        for _ in 0..2 {
            let told = seat.ask(&planes(16, 0)).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(told, Err("the thread that owns the network has ended".into()));
        }
    }

    #[test]
    fn a_network_is_at_work_once_and_goes_with_its_last_seat() {
        let key = || Key { device: Device::Cuda(99), game: "a little board", weights: 7 };
        let started = AtomicUsize::new(0);
        let find = || {
            let found = Shared::find_or_start(key(), || {
                started.fetch_add(1, Ordering::Relaxed);
                Shared::start(&network(3), FINDINGS, Device::Cpu)
            });
            Seat::at(found.expect("threads"))
        };
        let seats = [find(), find()];
        assert_eq!(started.load(Ordering::Relaxed), 1);
        drop(seats);
        drop(find());
        assert_eq!(started.load(Ordering::Relaxed), 2);
        let failed = Shared::find_or_start(key(), || Err(NetError::NotShipped { game: "nobody".into() }));
        assert!(failed.is_err_and(|error| error.to_string().contains("nobody")));
    }
}

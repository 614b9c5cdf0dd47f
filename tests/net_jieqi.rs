//! A network as a judge of Jieqi positions.

use std::sync::Arc;

use facedown::eval::{Device, Evaluations, Evaluator, Query};
use facedown::game::{Encode, MoveList, View};
use facedown::net::{
    Deployed, Findings, Layout, NetEvaluator, Network, Place, Precision, Shared, check_device,
};
use facedown::progress::Silent;
use facedown::rules::jieqi::{Jieqi, JieqiView};
use facedown::train::{TrainConfig, Trainer};
use tch::{Kind, Tensor};

use crate::outside::skip;
use crate::{toy_games, train};

const PRECISIONS: [Precision; 2] = [Precision::Float32, Precision::Bfloat16];

fn queries(count: usize, seed: u64) -> Vec<Query<Jieqi>> {
    let query = |view: JieqiView| {
        let mut moves = MoveList::new();
        view.legal_moves(&mut moves);
        Query { view, moves }
    };
    toy_games::positions(count, seed).into_iter().map(query).collect()
}

/// Priors and value of each query, as bits.
fn judge(evaluator: &mut NetEvaluator<Jieqi>, queries: &[Query<Jieqi>]) -> Vec<(Vec<u32>, u32)> {
    let mut out = Evaluations::default();
    evaluator.evaluate(queries, &mut out).unwrap();
    assert_eq!(out.len(), queries.len());
    let bits = |index| {
        let priors = out.priors(index).iter().map(|prior| prior.to_bits()).collect();
        (priors, out.value(index).0.to_bits())
    };
    (0..queries.len()).map(bits).collect()
}

#[test]
fn a_judgement_does_not_depend_on_the_company_or_the_thread() {
    let folder = tempfile::tempdir().unwrap();
    let network = train::trained(folder.path());
    let queries = queries(300, 5);
    for precision in PRECISIONS {
        let mut evaluator = NetEvaluator::new(Deployed::new(&network, precision));
        let together = judge(&mut evaluator, &queries);
        for size in [1, 2, 7, 15, 16, 17, 40, 100, 299] {
            for (chunk, expected) in queries.chunks(size).zip(together.chunks(size)).take(4) {
                assert_eq!(judge(&mut evaluator, chunk), expected, "{precision:?}, {size} at a time");
            }
        }
        let elsewhere = std::thread::scope(|scope| {
            // As if a trainer had used this thread before.
            let judging = scope.spawn(|| {
                tch::set_num_threads(2);
                judge(&mut evaluator, &queries)
            });
            judging.join().unwrap()
        });
        assert_eq!(elsewhere, together, "{precision:?}");
    }
}

#[test]
fn who_shares_a_network_is_told_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let network = train::trained(folder.path());
    let (queries, precision) = (queries(150, 9), Precision::fastest_here());
    let together = judge(&mut NetEvaluator::new(Deployed::new(&network, precision)), &queries);
    let findings = Findings { precision, rows_alike: true };
    let shared = Arc::new(Shared::start(&network, findings, Device::Cpu).unwrap());
    let (queries, together) = (&queries, &together);
    std::thread::scope(|scope| {
        for size in [7, 20, 33, 150] {
            let mut evaluator = NetEvaluator::sharing(shared.clone());
            scope.spawn(move || {
                for (chunk, expected) in queries.chunks(size).zip(together.chunks(size)) {
                    assert_eq!(judge(&mut evaluator, chunk), expected, "{size} at a time");
                }
            });
        }
    });
}

#[test]
fn a_judgement_is_what_the_trained_form_says_of_the_legal_moves() {
    let folder = tempfile::tempdir().unwrap();
    let network = train::trained(folder.path());
    let queries = queries(200, 6);
    let (policies, values) = trained_form(&network, &queries);
    for (precision, most_divergence, most_apart) in
        [(Precision::Float32, 1e-7, 1e-5), (Precision::Bfloat16, 1e-3, 0.01)]
    {
        let mut out = Evaluations::default();
        NetEvaluator::new(Deployed::new(&network, precision)).evaluate(&queries, &mut out).unwrap();
        let (mut divergence, mut apart) = (0.0, 0.0);
        for (index, policy) in policies.iter().enumerate() {
            let priors = out.priors(index);
            assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let terms = policy.iter().zip(priors).map(|(&p, &q)| p * (p / f64::from(q)).ln());
            divergence += terms.sum::<f64>() / policies.len() as f64;
            apart += (f64::from(out.value(index).0) - values[index]).abs() / policies.len() as f64;
        }
        assert!(divergence < most_divergence, "{precision:?}: policies {divergence:e} nats apart");
        assert!(apart < most_apart, "{precision:?}: values {apart} apart");
    }
}

/// Probabilities of the legal moves and the value of each position, by the form that is trained.
fn trained_form(network: &Network, queries: &[Query<Jieqi>]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let shape = JieqiView::SHAPE;
    let mut planes = vec![0.0_f32; queries.len() * shape.len()];
    for (query, planes) in queries.iter().zip(planes.chunks_exact_mut(shape.len())) {
        query.view.planes(planes);
    }
    let size = [queries.len(), shape.planes, shape.rows, shape.files].map(|length| length as i64);
    let output = tch::no_grad(|| network.forward(&Tensor::from_slice(&planes).view(size), false));
    let wdl = output.wdl.softmax(-1, Kind::Double);
    let policy = |(row, query): (i64, &Query<Jieqi>)| {
        let legal: Vec<i64> = query.moves.iter().map(|&mv| query.view.index(mv).get() as i64).collect();
        let scores = output.policy.get(row).index_select(0, &Tensor::from_slice(&legal));
        Vec::<f64>::try_from(scores.softmax(-1, Kind::Double)).unwrap()
    };
    let policies = (0..).zip(queries).map(policy).collect();
    (policies, Vec::<f64>::try_from(wdl.select(1, 0) - wdl.select(1, 2)).unwrap())
}

#[test]
fn a_network_is_checked_before_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    train::trained(folder.path());
    let (_, findings) = NetEvaluator::<Jieqi>::load_checked(&folder.path().join("net"), Device::Cpu).unwrap();
    assert_eq!(findings, Findings { precision: Precision::fastest_here(), rows_alike: true });
}

#[test]
fn a_card_learns_and_judges_as_the_cpu_does() {
    let devices = [Device::Cpu, Device::Cuda(0)];
    if let Err(error) = check_device(devices[1]) {
        return skip(&error.to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let window = train::window(folder.path(), &train::config(20));
    let queries = queries(200, 8);
    let [cpu, card] = devices.map(|device| {
        let out = folder.path().join(device.to_string().replace(':', "-"));
        let config = TrainConfig { device, ..train::config(20) };
        let place = Place::claim(&out).unwrap();
        let loss = Trainer::new(&train::small_net(), config).fit(&window, &place, &Silent).unwrap().loss;
        let mut judged = Evaluations::default();
        let (mut evaluator, _) = NetEvaluator::load_checked(&out, device).unwrap();
        evaluator.evaluate(&queries, &mut judged).unwrap();
        (loss, judged)
    });
    assert!((cpu.0.policy - card.0.policy).abs() < 0.02, "{:?} {:?}", cpu.0, card.0);
    assert!((cpu.0.value - card.0.value).abs() < 0.02, "{:?} {:?}", cpu.0, card.0);
    let apart = (0..queries.len()).map(|place| (cpu.1.value(place).0 - card.1.value(place).0).abs());
    assert!(apart.sum::<f32>() / (queries.len() as f32) < 0.05);
}

#[test]
fn nothing_to_judge_and_bad_numbers() {
    let network = Network::new(&train::small_net(), &Layout::of::<Jieqi>(), 1);
    let queries = queries(3, 7);
    let mut out = Evaluations::default();
    let mut evaluator = NetEvaluator::<Jieqi>::new(Deployed::new(&network, Precision::Float32));
    evaluator.evaluate(&queries, &mut out).unwrap();
    evaluator.evaluate(&[], &mut out).unwrap();
    assert!(out.is_empty());

    for (_, tensor) in network.parameters() {
        let _ = tch::no_grad(|| tensor.shallow_clone().fill_(f64::NAN));
    }
    let mut evaluator = NetEvaluator::<Jieqi>::new(Deployed::new(&network, Precision::Float32));
    let error = evaluator.evaluate(&queries, &mut out).unwrap_err();
    assert!(error.to_string().contains("batch of 3"), "{error}");
}

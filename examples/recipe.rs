//! How to roll a d13 with a d6, a d10 and a d20, as data: states, dice and where each face leads.

use flipcost::law::Step;
use flipcost_dice_set::plan;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan(13, &[6, 10, 20])?;
    println!(
        "{} rolls on average, {} with a d20 alone",
        plan.expected, plan.alone[2]
    );
    assert!(plan.expected < plan.alone[2]);
    let (_, places) = plan.recipe.chain(10_000)?;
    for place in places.iter().take(5) {
        let sides = plan.recipe.sides(place);
        let faces = (0..sides as u64).map(|face| plan.recipe.step(place, face));
        let ends = faces.filter(|step| matches!(step, Step::Output(_))).count();
        println!("{place:?}: roll a d{sides}; {ends} of its faces end");
    }
    Ok(())
}

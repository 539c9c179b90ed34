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
    for line in plan.recipe.steps().take(5) {
        let ends = |step: &&Step<_>| matches!(step, Step::Output(_));
        let (place, sides) = (line.place, line.sides);
        let ends = line.faces.iter().filter(ends).count();
        println!("{place}: roll a d{sides}; {ends} of its faces end");
    }
    Ok(())
}
